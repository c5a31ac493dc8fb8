import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { NotKept } from './not-kept.ts'

const shortest = 12

/** From `BACKUP_PASSPHRASE`, from a file, or asked for without showing it. */
export async function passphraseFrom(file: string | undefined, isNew: boolean): Promise<string> {
  const given = file ? (await readFile(file, 'utf8')).trim() : process.env.BACKUP_PASSPHRASE
  const passphrase = given || (await asked('Passphrase: '))
  if (!isNew) return passphrase
  if ([...passphrase].length < shortest) throw new NotKept(`A passphrase has at least ${shortest} characters.`)
  if (!given && (await asked('The same again: ')) !== passphrase) throw new NotKept('They differ.')
  return passphrase
}

async function asked(question: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new NotKept('Set BACKUP_PASSPHRASE, or name a file that holds it: --passphrase-file FILE.')
  process.stderr.write(question)
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: unseen, terminal: true })
  try {
    return await reader.question('')
  } finally {
    reader.close()
    process.stderr.write('\n')
  }
}
