import { parentPort } from 'node:worker_threads'
import { compareSync } from 'bcryptjs'
import type { BcryptAnswer, BcryptTask } from './bcrypt.ts'

parentPort?.on('message', ({ id, password, hash: stored }: BcryptTask) => {
  const answer: BcryptAnswer = { id, matches: compareSync(password, stored) }
  parentPort?.postMessage(answer)
})
