import { BUS_USERS } from '@stablecoin/local-stack/bus-users';
import { DATABASES, rolesOf } from '@stablecoin/migrations/databases';
import { WEAKNESSES } from '../planted/weaknesses';
import { AIMS, type Aim } from './forgery';
import { FORGERS, linesOf } from './forgeries';

const LINES = linesOf(FORGERS);
const names = FORGERS.map(({ name }) => name);

describe('the table of forgeries', () => {
  it('has a row for every login that the migrations make', () => {
    const roles = DATABASES.flatMap(rolesOf).map((role) => `login-${role.replaceAll('_', '-')}`);
    expect(names.filter((name) => name.startsWith('login-')).sort()).toEqual(roles.sort());
  });

  it("has a row for every neighbour of the ledger's on the bus", () => {
    // Programs of people, and the one that has no right but to answer.
    const others = ['wallet-ledger', 'signer', 'auditor', 'operator'];
    const services = BUS_USERS.filter((user) => !others.includes(user)).map((user) => `service-${user}`);
    expect(names.filter((name) => name.startsWith('service-')).sort()).toEqual(services.sort());
  });

  it.each(FORGERS.map((forger) => [forger.name, forger] as const))('%s has no empty cell', (_, { row }) => {
    for (const aim of Object.keys(AIMS) as Aim[]) expect(row[aim].length).toBeGreaterThan(0);
  });

  it('says each forgery once in a cell, as what somebody does', () => {
    const said = LINES.map(({ forger, aim, forgery }) => `${forger.name}/${aim}: ${forgery.what}`);
    expect(new Set(said).size).toBe(said.length);
    for (const { what } of LINES.map(({ forgery }) => forgery)) {
      expect(what).toMatch(/^[a-z]+s .*[^.\s]$/);
      expect(what).not.toContain('. ');
    }
  });

  it('has the cells in which planted weaknesses have to show', () => {
    const cells = LINES.map(({ forger, aim }) => `${forger.name}/${aim}`);
    for (const { shows } of Object.values(WEAKNESSES)) expect(cells).toEqual(expect.arrayContaining([...shows]));
  });
});
