/** The limit that HTTP is measured against: one bare Nest process on Fastify that validates a payout and sends it back. */
import 'reflect-metadata';
import { Body, Controller, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';

class WalletPayout {
  @IsOptional()
  @IsString()
  customer_id?: string;

  @IsString()
  @MaxLength(5)
  currency: string;

  @Matches(/^(0|[1-9]\d{0,17})(\.\d{1,8})?$/)
  amount: string;

  @IsString()
  @MaxLength(64)
  address: string;

  @IsString()
  @MaxLength(16)
  network: string;
}

@Controller('payouts/wallets')
class EchoController {
  @Post()
  echo(@Body() payout: WalletPayout) {
    return { status: 'success', data: payout };
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create<NestFastifyApplication>(EchoModule, new FastifyAdapter(), { logger: false });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true }));
  await app.listen(0, '127.0.0.1');
  process.send?.({ url: await app.getUrl() });
  process.once('disconnect', () => process.exit());
}

void main();
