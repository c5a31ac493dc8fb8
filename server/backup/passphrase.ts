import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { BackupError } from './backup-error.ts'

const minPassphraseLength = 12

/** Reads the passphrase from `BACKUP_PASSPHRASE`, from a file, or from a prompt without echo. */
export async function readPassphrase(file: string | undefined, isNew: boolean): Promise<string> {
  const provided = file ? (await readFile(file, 'utf8')).trim() : process.env.BACKUP_PASSPHRASE
  const passphrase = provided || (await promptHidden('Passphrase: '))
  if (!isNew) return passphrase
  if ([...passphrase].length < minPassphraseLength)
    throw new BackupError(`A passphrase has at least ${minPassphraseLength} characters.`)
  if (!provided && (await promptHidden('The same again: ')) !== passphrase) throw new BackupError('They differ.')
  return passphrase
}

async function promptHidden(question: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new BackupError('Set BACKUP_PASSPHRASE, or name a file that holds it: --passphrase-file FILE.')
  process.stderr.write(question)
  const hiddenOutput = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: hiddenOutput, terminal: true })
  try {
    return await reader.question('')
  } finally {
    reader.close()
    process.stderr.write('\n')
  }
}
