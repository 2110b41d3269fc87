import type { ReactNode } from 'react';
import type { Schema } from '../api/client';
import { Fact } from '../shell/fact';
import { nameOf } from './words';

/** Who a customer is, for who may see it. */
export function IdentityCard({ customer, children }: { customer: Schema<'ShownCustomer'>; children?: ReactNode }) {
  const { personal_info: person, business_info: business, financial_info: money, address } = customer;
  const place = address && [address.line_1, address.line_2, address.city, address.state, address.postal_code];
  return (
    <section className="card">
      <h2>Identity</h2>
      {customer.email === undefined ? (
        (children ?? <p className="quiet">Names, addresses and documents’ contents are not shown to your role.</p>)
      ) : (
        <dl className="facts">
          <Fact name="Name">{nameOf(customer)}</Fact>
          <Fact name="Born">{business === undefined ? person?.birth_date.slice(0, 10) : null}</Fact>
          <Fact name="Kind">{business?.business_type}</Fact>
          <Fact name="Website">{business?.business_website}</Fact>
          <Fact name="E-mail">{customer.email}</Fact>
          <Fact name="Phone">{customer.phone}</Fact>
          <Fact name="Address">{place && [...place, address.country].filter((part) => part !== null).join(', ')}</Fact>
          <Fact name="Purpose">{money?.account_purpose}</Fact>
          <Fact name="Employment">{money?.employment_status}</Fact>
          <Fact name="Occupation">{money?.most_recent_occupation}</Fact>
          <Fact name="Monthly">{money?.expected_monthly_income}</Fact>
          <Fact name="Source">{money?.source_of_funds}</Fact>
        </dl>
      )}
    </section>
  );
}
