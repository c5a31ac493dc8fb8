import type { Connection } from '@recado/contract/connections'
import { lineTraits } from '@recado/contract/line-traits'
import { useEffect, useState } from 'react'

/** A first code, or a code of the test phone, is valid for a minute; WhatsApp's later codes for 20 seconds. */
const firstCodeSeconds = 60
const laterCodeSeconds = 20

type QrLine = Pick<Connection, 'qrcode' | 'updatedAt' | 'retries' | 'provider'>

const codeLifeSeconds = ({ provider, retries }: QrLine) =>
  lineTraits[provider].test || retries === 0 ? firstCodeSeconds : laterCodeSeconds

/** The remaining validity of the shown code, in seconds and as a share. */
export function useQrCountdown(line: QrLine): { secondsLeft: number; shareLeft: number } {
  const life = codeLifeSeconds(line)
  // The browser's clock may be wrong, so the validity is also limited from the time the browser first showed
  // the code.
  const [seen, setSeen] = useState({ qrcode: line.qrcode, at: codeShownAt(line) })
  if (seen.qrcode !== line.qrcode) setSeen({ qrcode: line.qrcode, at: codeShownAt(line) })
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  const left = Math.max(0, Math.ceil(life - (now - seen.at) / 1000))
  return { secondsLeft: Math.min(life, left), shareLeft: Math.min(1, left / life) }
}

function codeShownAt(line: QrLine): number {
  const now = Date.now()
  const told = new Date(line.updatedAt).getTime()
  const plausible = told <= now && told > now - codeLifeSeconds(line) * 1000
  return plausible ? told : now
}
