import { Button, Loader } from '@mantine/core'
import { topics } from '@recado/contract/live'
import { pixCurrency } from '@recado/contract/money/currency'
import { hasPaymentWebhook, type Invoice } from '@recado/contract/money/invoices'
import { type Charge, subscriptionApi } from '@recado/contract/money/subscription'
import { IconCheck, IconCopy, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useLiveTopic } from '../../lib/live.ts'
import { formatMoney } from '../../lib/money/format-money.ts'
import { useRefetchQuery } from '../../lib/query-cache.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { SheetFooter } from '../../ui/sheet.tsx'
import { useCopyText } from '../../ui/use-copy-text.ts'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { QrCode } from '../line/qr-code.tsx'
import classes from './checkout.module.css'
import { PaymentReceived } from './payment-received.tsx'
import { texts } from './texts.ts'

/** Polling interval, in case an event gets lost. */
const pollMs = 5000

type Props = { charge: Charge; invoice: Invoice; onPaid: () => void; onNewCharge: () => void }

/** The QR code, its instructions, and the payment confirmation. */
export function PixPayment({ charge, invoice, onPaid, onNewCharge }: Props) {
  const words = useTexts(texts)
  const small = useIsPhone()
  const [paid, setPaid] = useState(false)
  const timeLeft = useCountdown(charge.expiresAt)
  const isOver = timeLeft === 0
  const key = ['money', 'charge', charge.id]
  const { data } = useQuery({
    queryKey: key,
    queryFn: () => callApi(subscriptionApi.charge, { params: { id: charge.id } }),
    refetchInterval: paid ? false : pollMs,
  })
  // The event may be about another invoice, so the server is queried.
  useLiveTopic(topics.payment, useRefetchQuery(key))
  const isPaid = paid || data?.status === 'paid'
  useEffect(() => {
    if (isPaid) onPaid()
  }, [isPaid, onPaid])
  const check = async () => {
    try {
      const now = await callApi(subscriptionApi.check, { params: { id: charge.id } })
      if (now.status === 'paid') setPaid(true)
      else toast.info(hasPaymentWebhook[charge.provider] ? words.looked : words.told)
    } catch (error) {
      toast.error(error)
    }
  }
  const sum = (
    <div>
      <div className={classes.sum}>{formatMoney(charge.valor.original, pixCurrency)}</div>
      <div className={classes.quiet}>
        {words.invoice(invoice.id)} · {words.detail(invoice.kind, invoice.detail)}
      </div>
    </div>
  )
  if (isPaid) return <PaymentReceived />
  return (
    <>
      <div className={classes.pix} data-small={small || undefined}>
        <div className={classes.paper}>
          {small && sum}
          <QrCode text={charge.qrcode.qrcode} label={words.qr} />
          {timeLeft !== null && !isOver && (
            <span className={classes.quiet}>
              {words.valid} <strong>{formatCountdown(timeLeft)}</strong> {words.more}
            </span>
          )}
        </div>
        <div className={classes.how}>
          {!small && sum}
          <ol className={classes.steps}>
            {[words.open, words.scan, hasPaymentWebhook[charge.provider] ? words.confirm : words.confirmByHand].map(
              (line, i) => (
                <li key={line}>
                  <span className={classes.number}>{i + 1}</span>
                  {line}
                </li>
              ),
            )}
          </ol>
          <PixCode text={charge.qrcode.qrcode} />
          {isOver ? (
            <div className={classes.waiting} data-over>
              {words.over}
              <Button variant="default" size="xs" onClick={onNewCharge}>
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
      <SheetFooter>
        <span className={classes.foot}>
          <IconLock size={14} stroke={1.75} aria-hidden="true" />
          {words.fromInvoice}
        </span>
        <Button variant="subtle" color="gray" onClick={() => void check()}>
          {words.already}
        </Button>
      </SheetFooter>
    </>
  )
}

function PixCode({ text }: { text: string }) {
  const words = useTexts(texts)
  const { wasCopied: copied, copy } = useCopyText(text)
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

/** Seconds until the expiry; null without an expiry. */
function useCountdown(until: string | null): number | null {
  const secondsLeft = () => (until ? Math.max(0, Math.round((Date.parse(until) - Date.now()) / 1000)) : null)
  const [timeLeft, setLeft] = useState(secondsLeft)
  useEffect(() => {
    if (!until) return setLeft(null)
    const tick = () => setLeft(Math.max(0, Math.round((Date.parse(until) - Date.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [until])
  return timeLeft
}

const padTwoDigits = (n: number) => String(n).padStart(2, '0')
const formatCountdown = (seconds: number): string =>
  seconds >= 3600
    ? `${Math.floor(seconds / 3600)}:${padTwoDigits(Math.floor((seconds % 3600) / 60))}:${padTwoDigits(seconds % 60)}`
    : `${Math.floor(seconds / 60)}:${padTwoDigits(seconds % 60)}`
