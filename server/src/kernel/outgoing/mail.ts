import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transporter } from 'nodemailer'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'

/** `html`: the same content as HTML. */
export type Mail = { to: string; subject: string; text: string; html?: string }

/** Sends mail by SMTP. Without SMTP, writes it to a folder beside the data, for the operator to pass on. */
export function makeMailer(config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>, log: Log) {
  const { smtpUrl } = config
  let transport: Transporter | undefined
  // Loaded with the first mail: many servers send none, and all of them would need the memory for it.
  const connect = async (url: string) => (await import('nodemailer')).createTransport(url)
  const folder = join(config.dataDir, 'mail')
  return {
    delivery: smtpUrl ? ('mail' as const) : ('folder' as const),
    async send(mail: Mail): Promise<void> {
      if (smtpUrl) {
        transport ??= await connect(smtpUrl)
        await transport.sendMail({ from: config.mailFrom, ...mail })
        return
      }
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = join(
        folder,
        `${new Date().toISOString().replace(/[:.]/g, '-')}-${mail.to.replace(/[^\w@.-]/g, '_')}.txt`,
      )
      await writeFile(file, `To: ${mail.to}\nSubject: ${mail.subject}\n\n${mail.text}`, { mode: 0o600 })
      log.warn({ file }, 'SMTP_URL is not set: the mail waits in this file')
    },
    close: () => transport?.close(),
  }
}
export type Mailer = ReturnType<typeof makeMailer>
