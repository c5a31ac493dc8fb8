import { ImportExportError } from './import-export-error.ts'

/** Many integers, eight bytes each: a table of ten million rows takes 80 MB, where a Set would take ten times that. */
class SortedIds {
  #ids = new Float64Array(1024)
  size = 0

  add(id: number): void {
    if (this.size === this.#ids.length) {
      const larger = new Float64Array(this.#ids.length * 2)
      larger.set(this.#ids)
      this.#ids = larger
    }
    this.#ids[this.size++] = id
  }

  /** Sorts the ids after all were added. Returns false if there was a duplicate. */
  sort(): boolean {
    this.#ids = this.#ids.slice(0, this.size).sort()
    for (let i = 1; i < this.size; i++) if (this.#ids[i] === this.#ids[i - 1]) return false
    return true
  }

  /** The rank of an id among all, or -1. */
  rank(id: number): number {
    let [low, high] = [0, this.size - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const found = this.#ids[middle] as number
      if (found === id) return middle
      if (found < id) low = middle + 1
      else high = middle - 1
    }
    return -1
  }
}

/**
 * References between rows of the same table, by the rank of their ids. Code that follows the references to the top
 * would never end in a cycle.
 */
export class SelfReferences {
  readonly #parents: Int32Array

  constructor(size: number) {
    this.#parents = new Int32Array(size).fill(-1)
  }

  add(child: number, parent: number): void {
    this.#parents[child] = parent
  }

  hasCycle(): boolean {
    const parents = this.#parents
    // The walk that first reached each row: each row is visited once, however deep the references are.
    const walks = new Int32Array(parents.length).fill(-1)
    for (let start = 0; start < parents.length; start++) {
      let at = start
      while (at >= 0 && walks[at] === -1) {
        walks[at] = start
        at = parents[at] as number
      }
      if (at >= 0 && walks[at] === start) return true
    }
    return false
  }
}

type IdBlock = { ids: SortedIds; missing: Map<number, number>; first: number }

/**
 * Maps archive ids to new ids. A table's ids are sorted and get a block of consecutive new ids, so an archive cannot
 * use up more ids than it has rows. A referenced id without a row (deleted before the export) gets an id of the same
 * block: that id refers to nothing, and never to a present or future row of another company.
 */
export class IdMapping {
  readonly #blocks = new Map<string, IdBlock>()
  readonly #company: number
  readonly #maxGone: number
  #newCompany = 0
  #goneCount = 0

  constructor(company: number, tables: string[], maxMissing: number) {
    this.#company = company
    this.#maxGone = maxMissing
    for (const name of tables) this.#blocks.set(name, { ids: new SortedIds(), missing: new Map(), first: 0 })
  }

  add(table: string, id: number): void {
    this.#blocks.get(table)?.ids.add(id)
  }

  /** Sorts the ids of each table, after all were added. */
  sortIds(): void {
    for (const [table, { ids: own }] of this.#blocks)
      if (!own.sort()) throw new ImportExportError(`${table} has an id twice.`)
  }

  size(table: string): number {
    return this.#blocks.get(table)?.ids.size ?? 0
  }

  /** The rank of an id among the table's ids, or -1. */
  rank(table: string, id: number): number {
    return this.#blocks.get(table)?.ids.rank(id) ?? -1
  }

  has(table: string, id: number): boolean {
    return table === 'companies' ? id === this.#company : this.rank(table, id) >= 0
  }

  /** Registers a referenced id before new ids are known. 0 and negative ids mean no reference. */
  registerReference(table: string, id: number): number {
    const block = this.#blocks.get(table)
    if (!block || id <= 0 || block.ids.rank(id) >= 0 || block.missing.has(id)) return id
    if (++this.#goneCount > this.#maxGone)
      throw new ImportExportError('Too many references to rows that are not there.')
    block.missing.set(id, block.missing.size)
    return id
  }

  /** How many new ids each table needs. */
  countNeededIds(): { table: string; count: number }[] {
    return [...this.#blocks].map(([table, { ids: own, missing }]) => ({ table, count: own.size + missing.size }))
  }

  /** Sets the first new id of a table. */
  setFirstId(table: string, first: number): void {
    const block = this.#blocks.get(table)
    if (block) block.first = first
  }
  setCompanyId(id: number): void {
    this.#newCompany = id
  }

  /** The new id; 0 for a table that was not exported. */
  newIdOf(table: string, id: number): number {
    if (table === 'companies') return id === this.#company ? this.#newCompany : 0
    if (id <= 0) return id
    const block = this.#blocks.get(table)
    if (!block) return 0
    const rank = block.ids.rank(id)
    if (rank >= 0) return block.first + rank
    const missing = block.missing.get(id)
    if (missing === undefined) throw new ImportExportError(`A reference to ${table} changed while it was read.`)
    return block.first + block.ids.size + missing
  }
}
