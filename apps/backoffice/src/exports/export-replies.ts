import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Act, Acts } from '@stablecoin/people-store/acts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SessionRequests } from '../sessions/session-requests';
import { sessionOf } from '../sessions/session.guard';
import { Exporting } from './export-streams';

const TYPES = { csv: 'text/csv; charset=utf-8; header=present', pdf: 'application/pdf' } as const;
export type ExportFormat = keyof typeof TYPES;

interface Download {
  request: FastifyRequest;
  reply: FastifyReply;
  /** What leaves in one piece is on the record, with what was asked for. */
  act: Act;
  /** Without its extension. */
  name: string;
  format: ExportFormat;
}

/** Answers with a file that is sent as it is read. */
@Injectable()
export class ExportReplies {
  constructor(
    private readonly requests: SessionRequests,
    private readonly acts: Acts,
  ) {}

  async send(
    { request, reply, act, name, format }: Download,
    open: (by: Exporting) => Promise<Readable>,
  ): Promise<void> {
    const session = sessionOf(request);
    const isSignedIn = async () => (await this.requests.sessionOf(request)) !== undefined;
    const content = await open({ memberId: session.member_id, requestId: request.id, isSignedIn });
    try {
      await this.acts.record(act, session);
    } catch (error) {
      content.destroy();
      throw error;
    }
    void reply
      .header('content-type', TYPES[format])
      .header('content-disposition', `attachment; filename="${name}.${format}"`)
      .send(content);
  }
}
