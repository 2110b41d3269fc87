import { createHash } from 'node:crypto';
import { DeviceSignature, isSignedByDevice } from './device-signature';
import { Order, orderText } from './order';

/** What the device signs. */
export const orderHash = (order: Order): Buffer => createHash('sha256').update(orderText(order)).digest();

/** Whether a device, which saw that it was its person, has signed exactly this order. */
export function isOrderSigned(ordered: Order & DeviceSignature): boolean {
  const { public_key, client_data, authenticator_data, signature, ...order } = ordered;
  return isSignedByDevice({ public_key, client_data, authenticator_data, signature }, orderHash(order));
}
