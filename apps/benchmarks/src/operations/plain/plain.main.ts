/**
 * The plain way: what a team would write instead. One Nest process on Fastify, Prisma, one database; a transaction per
 * request that locks the rows of its accounts; a timer settles payouts and delivers webhooks. Keys and bodies are checked
 * as the service checks them. No log, no proofs, no limits, no encryption, and no answer kept for who asks again.
 */
import 'reflect-metadata';
import { Module, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { Accounts } from './accounts';
import { PlainDatabase } from './database';
import { KeyGuard, PlainController } from './plain.controller';
import { Timers } from './timers';

@Module({ controllers: [PlainController], providers: [PlainDatabase, Accounts, KeyGuard, Timers] })
class PlainModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create<NestFastifyApplication>(PlainModule, new FastifyAdapter(), {
    logger: ['error'],
  });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
  await app.listen(0, '127.0.0.1');
  process.send?.({ type: 'ready', url: await app.getUrl() });
  process.once('disconnect', () => process.exit());
}

void main();
