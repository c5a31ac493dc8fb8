import { useState } from 'react'
import { readStoredJson, writeStoredJson } from '../../../lib/storage.ts'

/** The storage key that existing clients use. */
const storageKey = 'signOption'

/** Whether messages are signed with the agent's name. Signing is on until the user switches it off. */
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
