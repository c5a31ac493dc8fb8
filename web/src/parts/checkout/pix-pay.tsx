import { Button, Loader } from '@mantine/core'
import { topics } from '@recado/contract/live'
import { type Invoice, tellsUs } from '@recado/contract/money/invoices'
import { type Charge, subscriptionApi } from '@recado/contract/money/subscription'
import { IconCheck, IconCircleCheck, IconCopy, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../lib/api.ts'
import { money } from '../../lib/format.ts'
import { useLive } from '../../lib/live.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { useAgain } from '../../lib/told.ts'
import { SheetFoot } from '../../ui/sheet.tsx'
import { useCopy } from '../../ui/use-copy.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { QrCode } from '../line/qr-code.tsx'
import classes from './checkout.module.css'
import { texts } from './texts.ts'

/** Where a word got lost the news comes all the same, a little later. */
const lookEvery = 5000

type Props = { charge: Charge; invoice: Invoice; onPaid: () => void; onAnother: () => void }

/** The code, what to do with it, and the moment in which it is paid. */
export function PixPay({ charge, invoice, onPaid, onAnother }: Props) {
  const words = useTexts(texts)
  const small = usePhone()
  const [paid, setPaid] = useState(false)
  const left = useCountdown(charge.expiresAt)
  const isOver = left === 0
  const key = ['money', 'charge', charge.id]
  const { data } = useQuery({
    queryKey: key,
    queryFn: () => call(subscriptionApi.charge, { params: { id: charge.id } }),
    refetchInterval: paid ? false : lookEvery,
  })
  // Of this invoice, or of another one: the server says which.
  useLive(topics.payment, useAgain(key))
  const isPaid = paid || data?.status === 'paid'
  useEffect(() => {
    if (isPaid) onPaid()
  }, [isPaid, onPaid])
  const check = async () => {
    try {
      const now = await call(subscriptionApi.check, { params: { id: charge.id } })
      if (now.status === 'paid') setPaid(true)
      else toast.info(tellsUs[charge.provider] ? words.looked : words.told)
    } catch (error) {
      toast.error(error)
    }
  }
  const sum = (
    <div>
      <div className={classes.sum}>{money(charge.valor.original)}</div>
      <div className={classes.quiet}>
        {words.invoice(invoice.id)} · {words.detail(invoice.kind, invoice.detail)}
      </div>
    </div>
  )
  if (isPaid)
    return (
      <div className={classes.done} role="status">
        <IconCircleCheck size={48} stroke={1.5} aria-hidden="true" />
        <strong>{words.paid}</strong>
        <span className={classes.quiet}>{words.home}</span>
      </div>
    )
  return (
    <>
      <div className={classes.pix} data-small={small || undefined}>
        <div className={classes.paper}>
          {small && sum}
          <QrCode text={charge.qrcode.qrcode} label={words.qr} />
          {left !== null && !isOver && (
            <span className={classes.quiet}>
              {words.valid} <strong>{clock(left)}</strong> {words.more}
            </span>
          )}
        </div>
        <div className={classes.how}>
          {!small && sum}
          <ol className={classes.steps}>
            {[words.open, words.scan, tellsUs[charge.provider] ? words.confirm : words.confirmByHand].map((line, i) => (
              <li key={line}>
                <span className={classes.number}>{i + 1}</span>
                {line}
              </li>
            ))}
          </ol>
          <Code text={charge.qrcode.qrcode} />
          {isOver ? (
            <div className={classes.waiting} data-over>
              {words.over}
              <Button variant="default" size="xs" onClick={onAnother}>
                {words.another}
              </Button>
            </div>
          ) : (
            <div className={classes.waiting} role="status">
              <Loader size={16} aria-hidden="true" />
              {words.waiting}
            </div>
          )}
        </div>
      </div>
      <SheetFoot>
        <span className={classes.foot}>
          <IconLock size={14} stroke={1.75} aria-hidden="true" />
          {words.fromInvoice}
        </span>
        <Button variant="subtle" color="gray" onClick={() => void check()}>
          {words.already}
        </Button>
      </SheetFoot>
    </>
  )
}

function Code({ text }: { text: string }) {
  const words = useTexts(texts)
  const { copied, copy } = useCopy(text)
  return (
    <div>
      <span className={classes.label}>{words.code}</span>
      <div className={classes.code}>
        <code title={text}>{text}</code>
        <Button
          leftSection={copied ? <IconCheck size={16} stroke={2} /> : <IconCopy size={16} stroke={1.75} />}
          onClick={copy}
        >
          {copied ? words.copied : words.copy}
        </Button>
      </div>
    </div>
  )
}

/** Seconds until then; null where there is no end. */
function useCountdown(until: string | null): number | null {
  const secondsLeft = () => (until ? Math.max(0, Math.round((Date.parse(until) - Date.now()) / 1000)) : null)
  const [left, setLeft] = useState(secondsLeft)
  useEffect(() => {
    if (!until) return setLeft(null)
    const tick = () => setLeft(Math.max(0, Math.round((Date.parse(until) - Date.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [until])
  return left
}

const two = (n: number) => String(n).padStart(2, '0')
const clock = (seconds: number): string =>
  seconds >= 3600
    ? `${Math.floor(seconds / 3600)}:${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`
    : `${Math.floor(seconds / 60)}:${two(seconds % 60)}`
