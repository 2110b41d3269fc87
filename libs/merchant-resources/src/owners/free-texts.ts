import { Injectable } from '@nestjs/common';
import { Owner } from '@stablecoin/contracts/customer/find-owner';
import { OpenedField } from '@stablecoin/contracts/customer/open-sealed';
import { asSealedText, sealedIn } from '@stablecoin/personal-data/sealed-text';
import { SealedValues } from './sealed-values';

/** A text of the log, sealed or, where a version before wrote it, in clear. */
export interface FreeText {
  customer_id: string | null;
  field: OpenedField;
  text: string | null;
}

/** What merchants and senders write, which may name anybody: sealed as a destination is, and opened to be shown. */
@Injectable()
export class FreeTexts {
  constructor(private readonly sealedValues: SealedValues) {}

  seal(merchantId: string, owner: Owner, field: OpenedField, text: string): string {
    return asSealedText(this.sealedValues.seal(merchantId, owner, field, text));
  }

  /** As they were written; null where the owner was erased. */
  async open(merchantId: string, texts: readonly FreeText[]): Promise<(string | null)[]> {
    const sealed = texts.flatMap(({ customer_id, field, text }) => {
      const value = text === null ? undefined : sealedIn(text);
      return value === undefined ? [] : [{ customer_id, field, sealed: value }];
    });
    const opened = (await this.sealedValues.open(merchantId, sealed)) as (string | null)[];
    return texts.map(({ text }) => (text !== null && sealedIn(text) !== undefined ? (opened.shift() ?? null) : text));
  }
}
