import { contactsApi } from '@recado/contract/contacts'
import { useEffect, useRef, useState } from 'react'
import { upload } from '../../../lib/api.ts'
import { guessMapping, type Mapping } from './mapping.ts'
import { type Person, peopleOf } from './people.ts'
import { type Refused, sendPeople } from './send-people.ts'
import { headIsPerson, type Sheet, sheetOf, withHeadAsRow } from './sheet.ts'

/** The same as the server's: who sends more is told before sending it. */
export const mostBytes = 5 * 1024 * 1024

export type Preview = { step: 'preview'; file: string; raw: Sheet; headless: boolean; sheet: Sheet; mapping: Mapping }
export type Progress = { total: number; done: number; created: number; refused: Refused[] }
export type State =
  | { step: 'choose'; problem: unknown }
  | { step: 'reading'; percent: number }
  | Preview
  | ({ step: 'sending'; stopping: boolean } & Progress)
  | ({ step: 'done'; rest: Person[]; error: unknown } & Progress)

export class EmptySheet extends Error {}

/** The life of an import: choose, read, check, send, know. */
export function useImport() {
  const [state, setState] = useState<State>({ step: 'choose', problem: null })
  const abort = useRef<AbortController>(null)
  const stopped = useRef(false)
  // Whoever goes away stops it: nobody would see the rest.
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
      const { rows } = await upload(contactsApi.uploadSheet, { files: [file], onProgress, signal })
      if (rows.length === 0) throw new EmptySheet()
      const raw = sheetOf(rows)
      setState(previewOf(file.name, raw, headIsPerson(raw)))
    } catch (problem) {
      setState({ step: 'choose', problem })
    }
  }

  const send = async (people: Person[], before: Progress) => {
    stopped.current = false
    let now = { ...before, rest: people }
    let error: unknown = null
    setState({ step: 'sending', stopping: false, ...before })
    try {
      for await (const sent of sendPeople(people)) {
        now = {
          total: before.total,
          done: before.total - sent.rest.length,
          created: before.created + sent.created,
          refused: [...before.refused, ...sent.refused],
          rest: sent.rest,
        }
        setState({ step: 'sending', stopping: stopped.current, ...now })
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
    read,
    again: () => setState({ step: 'choose', problem: null }),
    start(preview: Preview) {
      const people = peopleOfPreview(preview)
      const good = people.filter((person) => !person.wrong)
      const refused = people.flatMap(({ wrong, ...person }) => (wrong ? [{ ...person, why: wrong }] : []))
      return send(good, { total: people.length, done: refused.length, created: 0, refused })
    },
    resume: (rest: Person[], progress: Progress) => send(rest, progress),
    stop() {
      stopped.current = true
      setState((now) => (now.step === 'sending' ? { ...now, stopping: true } : now))
    },
  }
}

export function previewOf(file: string, raw: Sheet, headless: boolean): Preview {
  const sheet = headless ? withHeadAsRow(raw) : raw
  return { step: 'preview', file, raw, headless, sheet, mapping: guessMapping(sheet) }
}

/** The first row of a sheet with a header is its second line. */
export const peopleOfPreview = ({ sheet, mapping, headless }: Preview): Person[] =>
  peopleOf(sheet.rows, mapping, headless ? 1 : 2)
