/**
 * People who sign in to the console: the first admin of a merchant, and the operator's own. Everybody else is invited there. The
 * commands work on the backoffice's database; what they do goes into the log of operators' acts first, in the customer service's.
 */
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { secretFrom } from '@stablecoin/command-line/secret-files';
import { DescribedMerchant } from '@stablecoin/customer-store/merchants/merchant-registry';
import { recordActBefore } from '@stablecoin/customer-store/operator-acts/operator-acts';
import { Invitation, Invitations, InvitedPerson } from '@stablecoin/people-store/invitations';
import { PeopleDatabase } from '@stablecoin/people-store/people-database';
import { PeopleSeal } from '@stablecoin/people-store/people-seal';
import { MERCHANT_ROLES, OPERATOR_ROLES, Role } from '@stablecoin/people-store/roles';
import { loadConfiguration } from '@stablecoin/service-host/setting';
import { Command, Option } from 'commander';
import { actedBy, acting, ActingOptions } from '../acting';
import { emailAddress, textOfUpTo, uuid } from '../arguments';
import { command, CommandContext } from '../command-context';
import { asOperator } from '../operator-database';
import { PeopleConfiguration } from '../operator.configuration';

interface InviteOptions extends ActingOptions {
  merchant?: string;
  name: string;
  email: string;
  role: Role;
}

/** A link as it is printed. */
interface PrintedLink {
  merchant_id: string | null;
  role: Role;
  link: string;
  expires_at: string;
}

const NAME_CHARACTERS_MAX = 200;
const HERE_HOURS = 12;
/** Of a stack for trying things out: no person's names. */
const SANDBOX_ADMIN: InvitedPerson = { name: 'Sandbox admin', email: 'admin@merchant.example', role: 'admin' };
const SANDBOX_OPERATOR: InvitedPerson = { name: 'Operator', email: 'operator@operator.example', role: 'operations' };

const help = ({ typed }: CommandContext) => `
A link signs in once, and makes the member active; it is shown this once, so pass it on over a channel that you trust. Name and
address are sealed in the backoffice's database and stand in no log.

  ${typed('people invite --merchant ID --name NAME --email EMAIL')}
  ${typed('people invite --role support --name NAME --email EMAIL')}

Environment: beside that of merchants BACKOFFICE_DATABASE_URL, PEOPLE_KEY and CONSOLE_ORIGIN.`;

export function addPeopleCommands(root: Command, context: CommandContext): void {
  const people = peopleArea(root, context);
  const invite = command(
    people,
    'invite',
    'Invites a merchant\'s first admin, or one of the operator\'s people: {"link",…}.',
  )
    .option('--merchant <id>', "whose member it becomes; without it the operator's", uuid)
    .addOption(
      new Option('--role <role>', "default admin of a merchant; of the operator's people it has to be said").choices([
        ...MERCHANT_ROLES,
        ...OPERATOR_ROLES,
      ]),
    )
    .requiredOption('--name <name>', "the person's name", textOfUpTo(NAME_CHARACTERS_MAX))
    .requiredOption('--email <email>', 'where the person is reached', emailAddress);
  acting(invite, { demands: false }).action(
    async ({ merchant: merchantId, name, email, role, ...who }: InviteOptions) => {
      const person = { name, email, role: roleOf(merchantId, role) };
      const by = actedBy(context, who);
      const merchant = await asOperator(context.settings, async ({ registry, database }) => {
        const described = merchantId === undefined ? null : await registry.described(merchantId);
        const of = described && { merchant_id: described.merchant_id };
        await recordActBefore(database, { action: 'people invite', ...of, details: { role: person.role } }, by);
        return described;
      });
      const link = await onPeople(context, (invitations) => invitations.inviteAs(person, merchant), {
        merchant,
        person,
      });
      context.print(link);
    },
  );
}

/** Of a checkout alone, where the one who starts the stack may do everything anyway. */
export function addLinksCommand(root: Command, context: CommandContext): void {
  const people = root.commands.find((one) => one.name() === 'people') ?? peopleArea(root, context);
  command(
    people,
    'links',
    `Two links that sign in, once each and from this machine only: as the sandbox merchant's admin, and as the operator.`,
  ).action(async () => {
    const apiKey = secretFrom(await context.settings(), 'SANDBOX_API_KEY');
    if (apiKey === undefined) throw new OperatorError('There is no sandbox merchant here: set SANDBOX_API_KEY.');
    const merchant = await asOperator(context.settings, async ({ registry }) =>
      registry.described(await registry.merchantOf(apiKey)),
    );
    const linkFor = (person: InvitedPerson, of: DescribedMerchant | null) =>
      onPeople(context, (invitations) => invitations.linkForThisMachine(person, of, HERE_HOURS), {
        merchant: of,
        person,
      });
    context.print([await linkFor(SANDBOX_ADMIN, merchant), await linkFor(SANDBOX_OPERATOR, null)]);
  });
}

const peopleArea = (root: Command, context: CommandContext): Command =>
  root.command('people').description('People who sign in to the console.').addHelpText('after', help(context));

function roleOf(merchantId: string | undefined, role: Role | undefined): Role {
  const known: readonly Role[] = merchantId === undefined ? OPERATOR_ROLES : MERCHANT_ROLES;
  const chosen = role ?? (merchantId === undefined ? undefined : 'admin');
  if (chosen !== undefined && known.includes(chosen)) return chosen;
  const whose =
    merchantId === undefined ? "one of the operator's people (without --merchant)" : 'a member of a merchant';
  throw new OperatorError(`Say with --role what ${whose} is to be: ${known.join(', ')}.`);
}

async function onPeople(
  { settings }: CommandContext,
  invite: (invitations: Invitations) => Promise<Invitation>,
  { merchant, person }: { merchant: DescribedMerchant | null; person: InvitedPerson },
): Promise<PrintedLink> {
  const { databaseUrl: url, peopleKey, consoleOrigin } = loadConfiguration(PeopleConfiguration, await settings());
  const database = new PeopleDatabase({ url, poolSize: 1 });
  try {
    const { token, expires_at } = await invite(new Invitations(database, new PeopleSeal(peopleKey)));
    return {
      merchant_id: merchant?.merchant_id ?? null,
      role: person.role,
      link: `${consoleOrigin}/link#${token}`,
      expires_at: expires_at.toISOString(),
    };
  } finally {
    await database.$disconnect();
  }
}
