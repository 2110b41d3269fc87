import { deployedOperator } from './deployed-operator';
import { runOperator } from './run-operator';

void runOperator(deployedOperator);
