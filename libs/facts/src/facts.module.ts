import { Module } from '@nestjs/common';
import { FactConsumers } from './fact-consumers';

/** For a service that takes facts of the ledger: its handlers add themselves to FactConsumers. */
@Module({ providers: [FactConsumers], exports: [FactConsumers] })
export class FactsModule {}
