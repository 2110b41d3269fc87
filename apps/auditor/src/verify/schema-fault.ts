/** What the schema is that the migrations have not made it. */
export interface SchemaFault {
  /** A table, or a role. */
  of: string;
  problem: string;
}
