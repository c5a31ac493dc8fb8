import { contactsApi } from '@recado/contract/contacts'
import { useEffect, useRef, useState } from 'react'
import { uploadFiles } from '../../../lib/api.ts'
import { type ColumnMapping, guessColumnMapping } from './column-mapping.ts'
import { type ImportRow, parseImportRows } from './import-rows.ts'
import { type RefusedRow, sendImportRows } from './send-import-rows.ts'
import { headerToFirstRow, isHeaderAPerson, type SpreadsheetTable, toSpreadsheetTable } from './spreadsheet-table.ts'

/** The same limit as the server's: larger files are refused before the upload. */
export const maxSpreadsheetBytes = 5 * 1024 * 1024

export type ImportPreview = {
  step: 'preview'
  file: string
  raw: SpreadsheetTable
  headless: boolean
  sheet: SpreadsheetTable
  mapping: ColumnMapping
}
export type ImportCounts = { total: number; done: number; created: number; refused: RefusedRow[] }
export type ImportState =
  | { step: 'choose'; problem: unknown }
  | { step: 'reading'; percent: number }
  | ImportPreview
  | ({ step: 'sending'; isStopping: boolean } & ImportCounts)
  | ({ step: 'done'; rest: ImportRow[]; error: unknown } & ImportCounts)

export class EmptySpreadsheetError extends Error {}

/** The steps of an import: choose, read, check, send, result. */
export function useContactImport() {
  const [state, setState] = useState<ImportState>({ step: 'choose', problem: null })
  const abort = useRef<AbortController>(null)
  const stopped = useRef(false)
  // Leaving the page stops the import, because nobody would see its result.
  useEffect(
    () => () => {
      stopped.current = true
      abort.current?.abort()
    },
    [],
  )

  const read = async (file: File) => {
    abort.current = new AbortController()
    setState({ step: 'reading', percent: 0 })
    try {
      const onProgress = (share: number) => setState({ step: 'reading', percent: Math.round(share * 100) })
      const { signal } = abort.current
      const { rows } = await uploadFiles(contactsApi.uploadSheet, { files: [file], onProgress, signal })
      if (rows.length === 0) throw new EmptySpreadsheetError()
      const raw = toSpreadsheetTable(rows)
      setState(createImportPreview(file.name, raw, isHeaderAPerson(raw)))
    } catch (problem) {
      setState({ step: 'choose', problem })
    }
  }

  const send = async (people: ImportRow[], before: ImportCounts) => {
    stopped.current = false
    let now = { ...before, rest: people }
    let error: unknown = null
    setState({ step: 'sending', isStopping: false, ...before })
    try {
      for await (const sent of sendImportRows(people)) {
        now = {
          total: before.total,
          done: before.total - sent.rest.length,
          created: before.created + sent.created,
          refused: [...before.refused, ...sent.refused],
          rest: sent.rest,
        }
        setState({ step: 'sending', isStopping: stopped.current, ...now })
        if (stopped.current) break
      }
    } catch (problem) {
      error = problem
    }
    setState({ step: 'done', error, ...now })
  }

  return {
    state,
    setState,
    readFile: read,
    restart: () => setState({ step: 'choose', problem: null }),
    start(preview: ImportPreview) {
      const people = importRowsOfPreview(preview)
      const good = people.filter((person) => !person.wrong)
      const refused = people.flatMap(({ wrong: problem, ...person }) => (problem ? [{ ...person, why: problem }] : []))
      return send(good, { total: people.length, done: refused.length, created: 0, refused })
    },
    resume: (rest: ImportRow[], progress: ImportCounts) => send(rest, progress),
    stop() {
      stopped.current = true
      setState((now) => (now.step === 'sending' ? { ...now, isStopping: true } : now))
    },
  }
}

export function createImportPreview(file: string, raw: SpreadsheetTable, headless: boolean): ImportPreview {
  const sheet = headless ? headerToFirstRow(raw) : raw
  return { step: 'preview', file, raw, headless, sheet, mapping: guessColumnMapping(sheet) }
}

/** The rows of a preview. In a sheet with a header the first person is in row 2. */
export const importRowsOfPreview = ({ sheet, mapping, headless }: ImportPreview): ImportRow[] =>
  parseImportRows(sheet.rows, mapping, headless ? 1 : 2)
