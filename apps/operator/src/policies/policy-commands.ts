import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { table } from '@stablecoin/command-line/table';
import { changePolicy } from '@stablecoin/contracts/wallet/change-policy';
import { policyOf, PolicyTerms } from '@stablecoin/contracts/wallet/policy-terms';
import { getPolicy } from '@stablecoin/contracts/wallet/get-policy';
import { PolicyView } from '@stablecoin/contracts/wallet/policy-view';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { canonicalText, CanonicalValue } from '@stablecoin/event-chain/canonical-text';
import { Command } from 'commander';
import { actedBy, acting, ActingOptions } from '../acting';
import { uuid } from '../arguments';
import { askService } from '../asked-service';
import { command, CommandContext } from '../command-context';
import { asOperator } from '../operator-database';

interface SetOptions extends ActingOptions {
  merchant: string;
  file: string;
  json?: boolean;
}

const STDIN = 0;
const HELP = `
A policy is one JSON object, and the whole of it: what it does not name does not go out.

  {
    "limits": [
      {"currency": "USDT", "per": "merchant", "within": "day", "amount": "50000", "count": 500},
      {"currency": "USDT", "per": "destination", "within": "payment", "amount": "5000"}
    ],
    "new_destination_wait_seconds": 3600,
    "approval": {
      "above": [{"currency": "USDT", "amount": "1000"}],
      "new_destination": true, "new_rail": true, "approvers": 1, "expires_after_seconds": 86400
    }
  }

per: merchant, customer, destination; within: payment, hour, day (24 hours), month (30 days). A live merchant without a policy
pays nothing out, a test merchant without one whatever it has. It asks the ledger over the bus (NATS_URL,
BUS_KEY), by the operators' own key (COMMAND_KEY).`;

/** What merchants may pay out, decided by the ledger. */
export function addPolicyCommands(root: Command, context: CommandContext): void {
  const policies = root.command('policies').description('Limits and approvals of payouts.').addHelpText('after', HELP);

  acting(
    command(policies, 'set', "Puts a policy in the place of a merchant's policy, from a file or, for -, from stdin.")
      .requiredOption('--merchant <id>', 'the merchant', uuid)
      .requiredOption('--file <path>', 'a file with the policy as JSON'),
    { demands: true },
  ).action(async ({ merchant, file, json, ...who }: SetOptions) => {
    const by = actedBy(context, who);
    const policy = policyIn(file === '-' ? STDIN : file);
    const stated = {
      policy_version: (await versionInForce(context, merchant)) + 1,
      stated_at: new Date().toISOString(),
      command_id: randomUUID(),
    };
    const shard = await asOperator(context.settings, async ({ registry }) => {
      const found = await registry.shardOf(merchant);
      await registry.recordPolicy(merchant, policy as unknown as CanonicalValue, stated, by);
      return found;
    });
    const { command_id } = stated;
    const terms = { merchant_id: merchant, policy, changed_by: by.actor, reason: by.reason ?? '' };
    const input_hash = createHash('sha256').update(JSON.stringify(terms)).digest('hex');
    const evidence = { ...terms, ...stated, type: 'policy', policy: canonicalText(policyOf(policy)) } as const;
    const asked = { service: 'ledger', shard, evidence, sentences: SET_MEANWHILE } as const;
    try {
      const { result } = await askService(context, changePolicy, { ...terms, command_id, input_hash }, asked);
      context.print(result, { json, table: policyText });
    } catch (error) {
      const end = error instanceof OperatorError ? 'refused' : 'unanswered';
      await asOperator(context.settings, ({ registry }) => registry.recordPolicyEnd(merchant, end, command_id, by));
      throw error;
    }
  });

  command(policies, 'show', "Shows a merchant's policy, who set it and why.")
    .requiredOption('--merchant <id>', 'the merchant', uuid)
    .action(async ({ merchant, json }: { merchant: string; json?: boolean }) => {
      context.print(await policyInForce(context, merchant), {
        json,
        table: policyText,
      });
    });
}

const WITHOUT_POLICY = 'The merchant has no policy: live it pays nothing out, with test keys whatever it has.';
const SET_MEANWHILE = {
  invalid_transition: 'Its policy was set meanwhile: look at it with policies show, and set yours again.',
} as const;

async function policyInForce(context: CommandContext, merchant_id: string): Promise<PolicyView> {
  const shard = await asOperator(context.settings, ({ registry }) => registry.shardOf(merchant_id));
  const asked = { service: 'ledger', shard, sentences: { not_found: WITHOUT_POLICY } } as const;
  return askService(context, getPolicy, { merchant_id }, asked);
}

/** 0 for a merchant without a policy. */
async function versionInForce(context: CommandContext, merchant: string): Promise<number> {
  try {
    return (await policyInForce(context, merchant)).policy_version;
  } catch (error) {
    if (error instanceof OperatorError && error.message === WITHOUT_POLICY) return 0;
    throw error;
  }
}

/** Read strictly here, so that what goes on the record is a policy. */
function policyIn(file: string | number): PolicyTerms {
  try {
    const policy = validateRequest(PolicyTerms, JSON.parse(readFileSync(file, 'utf8')));
    return JSON.parse(JSON.stringify(policy)) as PolicyTerms;
  } catch (error) {
    if (error instanceof Refusal) {
      throw new OperatorError(`${(error.fields ?? []).map(({ field, message }) => `${field} ${message}`).join('; ')}.`);
    }
    throw new OperatorError(`The policy can't be read: ${(error as Error).message}.`);
  }
}

function policyText({ policy_version, policy, changed_by, reason, changed_at }: PolicyView): string {
  const { limits, new_destination_wait_seconds, approval } = policy;
  const rows = limits.map(({ currency, per, within, amount, count }) => [
    ...[currency, per, within, amount ?? null, count?.toString() ?? null],
  ]);
  const above = approval?.above.map(({ currency, amount }) => `above ${amount} ${currency}`) ?? [];
  const also = [approval?.new_destination && 'to a new destination', approval?.new_rail && 'by a new rail'].filter(
    (each) => typeof each === 'string',
  );
  const waits = [...above, ...also];
  return [
    `Version ${policy_version}, set by ${changed_by} at ${changed_at}: ${reason}`,
    limits.length === 0 ? 'Nothing goes out.' : table(['CURRENCY', 'PER', 'WITHIN', 'AMOUNT', 'PAYOUTS'], rows),
    `New destinations wait for ${new_destination_wait_seconds} s.`,
    approval && waits.length > 0
      ? `${approval.approvers} must approve within ${approval.expires_after_seconds} s: ${waits.join(', ')}.`
      : 'Nothing needs an approval.',
  ].join('\n');
}
