import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { getTransfer } from '@stablecoin/contracts/chain/get-transfer';
import { getTreasury } from '@stablecoin/contracts/chain/get-treasury';
import { ListTransfers, listTransfers } from '@stablecoin/contracts/chain/list-transfers';
import { ListUnrecognised, listUnrecognised } from '@stablecoin/contracts/chain/list-unrecognised';
import { rescanRecent } from '@stablecoin/contracts/chain/rescan-recent';
import { chainStatus } from '@stablecoin/contracts/chain/status';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { success, successPage } from '@stablecoin/http-answers/envelope';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { ReasonedActs } from '@stablecoin/people-store/acts';
import { OperatorRole } from '@stablecoin/people-store/roles';
import { Session } from '@stablecoin/people-store/sessions';
import { FromQuery, WithoutQuery } from '../reads/from-query';
import { orAway } from '../reads/or-away';
import { ForRoles, FromSession, SteppedUpByPasskey } from '../sessions/session.guard';
import { RescanBody } from './treasury-requests';
import { presentTransfer, presentTreasury, presentUnrecognised } from './treasury.presenter';

const WHO: readonly OperatorRole[] = ['operations', 'auditor'];

/** What we hold on chains and what is under way there, as the chain service has it; without the addresses of payees and payers. */
@Controller('treasury')
export class TreasuryController {
  constructor(
    private readonly bus: BusClient,
    private readonly acts: ReasonedActs,
  ) {}

  /** `is_away`: the chain service does not answer, as where no network has a node. */
  @Get()
  @ForRoles(...WHO)
  async treasury(@WithoutQuery() _query: object) {
    const [status, treasury] = await Promise.all([
      orAway(this.bus.call(chainStatus, {})),
      orAway(this.bus.call(getTreasury, {})),
    ]);
    const held = (treasury?.networks ?? []).map(presentTreasury);
    const networks = (status?.networks ?? []).map((network) => ({
      status: network,
      treasury: held.find((one) => one.network === network.network) ?? null,
    }));
    return success({ is_away: status === undefined, networks });
  }

  @Get('transfers')
  @ForRoles(...WHO)
  async transfers(@FromQuery(ListTransfers) query: Plain<ListTransfers>) {
    return successPage(await this.bus.call(listTransfers, query), presentTransfer);
  }

  @Get('transfers/:reference')
  @ForRoles(...WHO)
  async transfer(@Param('reference') reference: string, @WithoutQuery() _query: object) {
    return success(
      presentTransfer(await this.bus.call(getTransfer, validateRequest(getTransfer.request, { reference }))),
    );
  }

  @Get('unrecognised')
  @ForRoles(...WHO)
  async unrecognised(@FromQuery(ListUnrecognised) query: Plain<ListUnrecognised>) {
    return successPage(await this.bus.call(listUnrecognised, query), presentUnrecognised);
  }

  /** Moves no money by itself: what is found is a deposit only where the nodes agree on it, as at first sight. */
  @Post('rescan')
  @HttpCode(200)
  @ForRoles('operations')
  @SteppedUpByPasskey()
  async rescan(@FromSession() session: Session, @Body() body: unknown) {
    const { reason, ...asked } = validateRequest(RescanBody, body);
    await this.acts.record({ action: 'rescan-asked', details: asked }, reason, session);
    return success(await this.bus.call(rescanRecent, asked));
  }
}
