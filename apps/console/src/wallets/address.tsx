import type { Schema } from '../api/client';
import { Copyable } from '../shell/copyable';
import { NETWORK_WORDS } from '../transactions/words';
import { QrCode } from './qr-code';

/** An entry of a list of deposit addresses. */
export function Address({ address: { address, network } }: { address: Schema<'DepositAddress'> }) {
  const name = NETWORK_WORDS[network] ?? network;
  return (
    <li className="address">
      <QrCode text={address} label={`QR code of the address on ${name}`} />
      <div>
        <h3>{name}</h3>
        <Copyable text={address} label={`the address on ${name}`} />
        <p className="quiet">Send only on {name}: what is sent on another network can be lost.</p>
      </div>
    </li>
  );
}
