import { OmitType } from '@nestjs/mapped-types';
import { CreateApiKey } from '@stablecoin/contracts/customer/create-api-key';
import { RotateApiKey } from '@stablecoin/contracts/customer/rotate-api-key';
import { INJECTED_FOR_PEOPLE } from '../commands/acting-person';

export class CreateKeyBody extends OmitType(CreateApiKey, INJECTED_FOR_PEOPLE) {}
export class RotateKeyBody extends OmitType(RotateApiKey, [...INJECTED_FOR_PEOPLE, 'key_id']) {}
