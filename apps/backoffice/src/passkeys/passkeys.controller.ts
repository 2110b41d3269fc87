import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { pathUuid } from '@stablecoin/http-answers/query';
import { Passkeys } from '@stablecoin/people-store/passkeys';
import { Session } from '@stablecoin/people-store/sessions';
import { ForMembers, FromSession, SteppedUp } from '../sessions/session.guard';
import { readAnswer } from './device-answer';
import { PasskeySignIn } from './passkey-sign-in';

const NAME_CHARACTERS_MAX = 100;

class NameOfDevice {
  @IsText({ max: NAME_CHARACTERS_MAX }) name: string;
}

/** The passkeys of the person whose session asks. */
@Controller('passkeys')
export class PasskeysController {
  constructor(
    private readonly passkeys: Passkeys,
    private readonly signIn: PasskeySignIn,
  ) {}

  @Get()
  @ForMembers()
  async list(@FromSession() session: Session) {
    return { data: await this.passkeys.list(session) };
  }

  /** Before a device is asked for another one, one that is there already has to be seen. */
  @Post('options')
  @HttpCode(200)
  @ForMembers()
  @SteppedUp()
  async options(@FromSession() session: Session) {
    return { options: await this.signIn.registrationOptions(session) };
  }

  @Post()
  @ForMembers()
  @SteppedUp()
  async add(@FromSession() session: Session, @Body() body: unknown) {
    const { answer, fields } = readAnswer(body);
    return this.signIn.register(answer, validateRequest(NameOfDevice, fields).name, session);
  }

  @Delete(':passkey_id')
  @HttpCode(204)
  @ForMembers()
  @SteppedUp()
  async remove(@FromSession() session: Session, @Param('passkey_id') id: string) {
    if (!(await this.passkeys.remove(pathUuid(id), session))) throw new Refusal('not_found');
  }
}
