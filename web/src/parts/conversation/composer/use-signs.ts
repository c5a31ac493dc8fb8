import { useState } from 'react'
import { readJson, writeJson } from '../../../lib/storage.ts'

/** The name every client of this family remembers it under. */
const key = 'signOption'

/** Whether messages carry the agent's name. On until somebody says otherwise, and then as they said. */
export function useSigns(): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => readJson<unknown>(key, true) !== false)
  return [
    on,
    (next) => {
      writeJson(key, next)
      setOn(next)
    },
  ]
}
