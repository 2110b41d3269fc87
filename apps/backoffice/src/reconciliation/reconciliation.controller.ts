import { Controller, Get, Param } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { success } from '@stablecoin/http-answers/envelope';
import { OperatorRole } from '@stablecoin/people-store/roles';
import { SolvencyReports } from '@stablecoin/people-store/solvency-reports';
import { WithoutQuery } from '../reads/from-query';
import { ForRoles } from '../sessions/session.guard';

const WHO: readonly OperatorRole[] = ['operations', 'compliance', 'auditor'];
const NUMBER = /^[1-9]\d{0,14}$/;

/** Holdings against the books, as the auditor's program has found them and an operator's command has kept it. */
@Controller('reconciliation')
export class ReconciliationController {
  constructor(private readonly reports: SolvencyReports) {}

  @Get()
  @ForRoles(...WHO)
  async list(@WithoutQuery() _query: object) {
    return success(await this.reports.list());
  }

  @Get(':number')
  @ForRoles(...WHO)
  async get(@Param('number') number: string, @WithoutQuery() _query: object) {
    const found = NUMBER.test(number) ? await this.reports.find(Number(number)) : undefined;
    if (found === undefined) throw new Refusal('not_found');
    return success(found);
  }
}
