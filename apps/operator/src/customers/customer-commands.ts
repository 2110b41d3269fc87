import { KycStatus } from '@stablecoin/contracts/customer/views';
import { Command, Option } from 'commander';
import { uuid } from './arguments';
import { command, CommandContext } from './command-context';
import { asOperator } from './operator-database';

interface CustomerOptions {
  merchant: string;
  customer: string;
}

/** What people decide about customers. */
export function addCustomerCommands(root: Command, { env, print }: CommandContext): void {
  ofCustomer(root, 'set-kyc-status', "Records the outcome of a customer's review.")
    .addOption(new Option('--status <status>').choices(['under_review', 'approved', 'rejected']).makeOptionMandatory())
    .action(async ({ merchant, customer, status }: CustomerOptions & { status: KycStatus }) =>
      print(await asOperator(env, (_merchants, customers) => customers.setKycStatus(merchant, customer, status))),
    );

  ofCustomer(root, 'erase-customer', "Makes a closed customer's personal data unreadable for good.").action(
    async ({ merchant, customer }: CustomerOptions) =>
      print(await asOperator(env, (_merchants, customers) => customers.erase(merchant, customer))),
  );
}

function ofCustomer(root: Command, name: string, description: string): Command {
  return command(root, name, description)
    .requiredOption('--merchant <id>', 'the merchant', uuid)
    .requiredOption('--customer <id>', 'its customer', uuid);
}
