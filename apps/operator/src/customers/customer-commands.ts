import { KycStatus } from '@stablecoin/contracts/customer/views';
import { Command, Option } from 'commander';
import { uuid } from '../arguments';
import { command, CommandContext } from '../command-context';
import { asOperator } from '../operator-database';
import { addKeyRotationCommands } from './key-rotation-commands';

interface CustomerOptions {
  merchant: string;
  customer: string;
}

/** Commands for people's decisions about customers, and for the keys that seal customers' data. */
export function addCustomerCommands(root: Command, context: CommandContext): void {
  const { settings, print } = context;
  const customers = root.command('customers').description('Decisions about customers, and the change of keys.');

  ofCustomer(customers, 'set-kyc-status', "Records the outcome of a customer's review.")
    .addOption(new Option('--status <status>').choices(['under_review', 'approved', 'rejected']).makeOptionMandatory())
    .action(async ({ merchant, customer, status }: CustomerOptions & { status: KycStatus }) =>
      print(
        await asOperator(settings, ({ administration }) => administration.setKycStatus(merchant, customer, status)),
      ),
    );

  ofCustomer(customers, 'erase', "Makes a closed customer's personal data unreadable for good.").action(
    async ({ merchant, customer }: CustomerOptions) =>
      print(await asOperator(settings, ({ administration }) => administration.erase(merchant, customer))),
  );

  addKeyRotationCommands(customers, context);
}

function ofCustomer(customers: Command, name: string, description: string): Command {
  return command(customers, name, description)
    .requiredOption('--merchant <id>', 'the merchant', uuid)
    .requiredOption('--customer <id>', 'its customer', uuid);
}
