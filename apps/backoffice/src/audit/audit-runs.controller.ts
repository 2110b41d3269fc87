import { Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { success } from '@stablecoin/http-answers/envelope';
import { AuditRun, AuditRuns } from '@stablecoin/people-store/audit-runs';
import { Members } from '@stablecoin/people-store/members';
import { Session } from '@stablecoin/people-store/sessions';
import type { FastifyReply } from 'fastify';
import { ConsoleRefusal } from '../http/console-refusal';
import { answerWith } from '../live/session-streams';
import { seenBy } from '../members/seen-members';
import { WithoutQuery } from '../reads/from-query';
import { FromSession, Listening } from '../sessions/session.guard';
import { AuditRunStreams } from './audit-run-streams';
import { ForAuditors } from './auditing-roles';

const NUMBER = /^[1-9]\d{0,14}$/;

/** Runs of the auditor's verify: asked for here, done by the runner beside the auditor, which alone reaches the ledger's database. */
@Controller('audit/runs')
export class AuditRunsController {
  constructor(
    private readonly runs: AuditRuns,
    private readonly members: Members,
    private readonly streams: AuditRunStreams,
  ) {}

  @Get()
  @ForAuditors()
  async list(@FromSession() session: Session, @WithoutQuery() _query: object) {
    const [runs, runner] = await Promise.all([this.runs.list(), this.runs.runner()]);
    return success({ runner, runs: await this.shown(runs, session) });
  }

  /** Server-sent events, for as long as the page is open and its session goes on: see audit-run-streams.ts. */
  @Get('live')
  @ForAuditors()
  @Listening()
  follow(@FromSession() session: Session, @WithoutQuery() _query: object, @Res() reply: FastifyReply): void {
    answerWith(this.streams.open(session), reply);
  }

  @Post()
  @ForAuditors()
  async ask(@FromSession() session: Session, @WithoutQuery() _query: object) {
    const number = await this.runs.ask(session);
    if (number === undefined) throw new ConsoleRefusal('audit_run_under_way');
    return success({ number });
  }

  @Get(':number')
  @ForAuditors()
  async get(@FromSession() session: Session, @Param('number') text: string, @WithoutQuery() _query: object) {
    const found = await this.runs.find(numberOf(text));
    if (found === undefined) throw new Refusal('not_found');
    const { report, ...run } = found;
    const [shown] = await this.shown([run], session);
    return success({ ...shown, report });
  }

  @Post(':number/cancellation')
  @HttpCode(204)
  @ForAuditors()
  async cancel(@FromSession() session: Session, @Param('number') text: string, @WithoutQuery() _query: object) {
    const outcome = await this.runs.cancel(numberOf(text), session);
    if (outcome === 'none') throw new Refusal('not_found');
    if (outcome === 'over') throw new ConsoleRefusal('audit_run_over');
  }

  private async shown(runs: readonly AuditRun[], session: Session) {
    const asking = runs.map(({ asked_by }) => asked_by);
    const seen = await seenBy(session, this.members, asking);
    return runs.map(({ asked_by, ...run }) => ({ ...run, asked_by: seen(asked_by) }));
  }
}

/** @throws Refusal for what is no number of a run */
function numberOf(text: string): number {
  if (!NUMBER.test(text)) throw new Refusal('not_found');
  return Number(text);
}
