import { useState } from 'react'
import { readStoredJson, writeStoredJson } from '../../../lib/storage.ts'

/** The name every client of this family remembers it under. */
const storageKey = 'signOption'

/** Whether messages carry the agent's name. On until somebody says otherwise, and then as they said. */
export function useSignatureSetting(): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => readStoredJson<unknown>(storageKey, true) !== false)
  return [
    on,
    (next) => {
      writeStoredJson(storageKey, next)
      setOn(next)
    },
  ]
}
