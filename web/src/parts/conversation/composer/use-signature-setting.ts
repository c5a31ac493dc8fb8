import { useState } from 'react'
import { readStoredJson, writeStoredJson } from '../../../lib/storage.ts'

/** The storage key that existing clients use. */
const storageKey = 'signOption'

/** Whether messages are signed with the agent's name. On by default, then as the user chose. */
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
