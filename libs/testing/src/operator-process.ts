import { ProgramProcess } from './program-process';

const OPERATOR = { title: 'operator', file: 'apps/operator/src/checkout-operator.js', name: 'checkoutOperator' };

/** The operator's program in a process that stays. */
export class OperatorProcess extends ProgramProcess {
  /** @param environment what a stack wrote down for command lines on this machine */
  constructor(environment: NodeJS.ProcessEnv) {
    super(OPERATOR, environment);
  }
}
