/** Only imports write this table. */
declare module '../src/kernel/data/tables.ts' {
  interface DB {
    movedRows: { companyId: number; source: string; kind: string; oldId: string; newId: number | null }
  }
}

export {}
