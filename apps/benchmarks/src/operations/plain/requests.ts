/** What merchants send, validated as the service validates it: by decorators, nothing beyond what is declared. */
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, IsUUID, Matches, Max, Min } from 'class-validator';

const CURRENCY = /^[A-Z]{3,5}$/;
const AMOUNT = /^(?!0+(\.0+)?$)(0|[1-9]\d{0,17})(\.\d{1,8})?$/;

export class OpenWallet {
  @Matches(CURRENCY) currency: string;
  @IsOptional() @IsUUID() customer_id?: string;
  @IsOptional() @IsString() network?: string;
}

export class SimulateDeposit {
  @IsUUID() wallet_id: string;
  @Matches(AMOUNT) amount: string;
}

export class PayOut {
  @Matches(CURRENCY) currency: string;
  @Matches(AMOUNT) amount: string;
  @Matches(/^0x[0-9a-fA-F]{40}$/) address: string;
  @Matches(/^[a-z0-9]{3,10}$/) network: string;
}

export class AskQuote {
  @Matches(CURRENCY) from_currency: string;
  @Matches(CURRENCY) to_currency: string;
  @Matches(AMOUNT) amount: string;
}

export class ExecuteSwap extends AskQuote {
  @IsUUID() quote_id: string;
}

export class ListTransactions {
  @IsOptional() @IsUUID() customer_id?: string;
  @IsOptional() @Matches(/^(PENDING|COMPLETED|FAILED|REVERSED)$/) status?: string;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(100) limit: number = 10;
}
