import { table } from '@stablecoin/command-line/table';
import { KYC_STATUSES, KycStatus } from '@stablecoin/contracts/customer/views';
import { ListedCustomer, NamedCustomer } from '@stablecoin/customer-store/customers/customer-administration';
import { Command, Option } from 'commander';
import { actedBy, acting, ActingOptions } from '../acting';
import { uuid } from '../arguments';
import { LIMIT, ListOptions, onTheRecord, PERSONAL_DATA } from '../listing';
import { command, CommandContext } from '../command-context';
import { asOperator } from '../operator-database';
import { addKeyRotationCommands } from './key-rotation-commands';

interface CustomerOptions extends ActingOptions {
  merchant: string;
  customer: string;
}

interface ListCustomersOptions extends ListOptions {
  merchant?: string;
  kyc?: KycStatus;
}

/** Commands for people's decisions about customers, and for the keys that seal customers' data. */
export function addCustomerCommands(root: Command, context: CommandContext): void {
  const { settings, print } = context;
  const customers = root.command('customers').description('Decisions about customers, and the change of keys.');

  ofCustomer(customers, 'set-kyc-status', "Records the outcome of a customer's review.")
    .addOption(new Option('--status <status>').choices(['under_review', 'approved', 'rejected']).makeOptionMandatory())
    .action(async ({ merchant, customer, status, ...who }: CustomerOptions & { status: KycStatus }) => {
      const by = actedBy(context, who);
      print(
        await asOperator(settings, ({ administration }) => administration.setKycStatus(merchant, customer, status, by)),
      );
    });

  ofCustomer(customers, 'erase', "Makes a closed customer's personal data unreadable for good.").action(
    async ({ merchant, customer, ...who }: CustomerOptions) => {
      const by = actedBy(context, who);
      print(await asOperator(settings, ({ administration }) => administration.erase(merchant, customer, by)));
    },
  );

  const listed = command(customers, 'list', 'Lists customers, oldest first.')
    .option('--merchant <id>', 'of this merchant only', uuid)
    .addOption(new Option('--kyc <status>', 'of this KYC status only').choices(KYC_STATUSES))
    .option(...LIMIT)
    .option(...PERSONAL_DATA);
  acting(listed, { demands: false }).action(
    async ({ merchant, kyc, limit, personalData: isNamed, json, ...who }: ListCustomersOptions, self: Command) => {
      const filter = { merchantId: merchant, kyc, limit };
      const printed = { json, table: customerTable };
      if (!isNamed) {
        print(await asOperator(settings, ({ administration }) => administration.list(filter)), printed);
        return;
      }
      const by = onTheRecord(context, who, self);
      print(
        await asOperator(settings, ({ administration, personalData }) =>
          administration.listNamed(filter, personalData, by),
        ),
        printed,
      );
    },
  );

  addKeyRotationCommands(customers, context);
}

function ofCustomer(customers: Command, name: string, description: string): Command {
  const subcommand = command(customers, name, description)
    .requiredOption('--merchant <id>', 'the merchant', uuid)
    .requiredOption('--customer <id>', 'its customer', uuid);
  return acting(subcommand, { demands: true });
}

function customerTable(customers: (ListedCustomer | NamedCustomer)[]): string {
  const rows = customers.map((customer) => [
    ...[customer.merchant_id, customer.customer_id, customer.customer_type, customer.status, customer.kyc_status],
    ...[customer.created_at, customer.erased_at],
    ...('name' in customer ? [customer.name, customer.email] : []),
  ]);
  const personal = customers.some((customer) => 'name' in customer) ? ['NAME', 'E-MAIL'] : [];
  return table(['MERCHANT', 'CUSTOMER', 'TYPE', 'STATUS', 'KYC', 'CREATED', 'ERASED', ...personal], rows);
}
