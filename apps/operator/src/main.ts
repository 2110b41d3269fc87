import { checkoutOperator } from './checkout-operator';
import { runOperator } from './run-operator';

void runOperator(checkoutOperator);
