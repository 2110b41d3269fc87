import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Act, Acts } from '@stablecoin/people-store/acts';
import { Session } from '@stablecoin/people-store/sessions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SessionRequests } from '../sessions/session-requests';
import { Exporting } from './export-streams';

interface Download {
  session: Session;
  request: FastifyRequest;
  reply: FastifyReply;
  /** What leaves in one piece is on the record, with what was asked for. */
  act: Act;
  file: string;
  type: 'text/csv; charset=utf-8; header=present' | 'application/pdf';
}

/** Answers with a file that is sent as it is read. */
@Injectable()
export class ExportReplies {
  constructor(
    private readonly requests: SessionRequests,
    private readonly acts: Acts,
  ) {}

  async send(
    { session, request, reply, act, file, type }: Download,
    open: (by: Exporting) => Promise<Readable>,
  ): Promise<void> {
    const isSignedIn = async () => (await this.requests.sessionOf(request)) !== undefined;
    const content = await open({ memberId: session.member_id, requestId: request.id, isSignedIn });
    try {
      await this.acts.record(act, session);
    } catch (error) {
      content.destroy();
      throw error;
    }
    void reply
      .header('content-type', type)
      .header('content-disposition', `attachment; filename="${file}"`)
      .send(content);
  }
}
