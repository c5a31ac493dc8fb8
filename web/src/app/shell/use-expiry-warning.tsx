import { IconClockExclamation } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useCan } from '../../lib/can.tsx'
import { useSession } from '../../lib/session.tsx'
import { currentTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { hasScreenAt } from '../screens.ts'
import { texts } from './texts.ts'

/** Number of days before the expiry at which the warning starts (spec, section 9). */
export const expiryWarningDays = 5
export const daysUntil = (dueDate: string): number => Math.floor((Date.parse(dueDate) - Date.now()) / 86_400_000)
const renewal = '/financeiro'

/** Warns once per visit, while the subscription can still be paid. */
export function useExpiryWarning(): void {
  const dueDate = useSession().user?.company.dueDate
  const mayPay = useCan()('drawer-admin-items:view')
  const navigate = useNavigate()
  useEffect(() => {
    if (!dueDate) return
    const days = daysUntil(dueDate)
    // The subscription may have been renewed in the meantime, on another screen.
    if (!(days < expiryWarningDays)) return toast.hide('expiry')
    const words = currentTexts(texts)
    toast.warn(words.expires(days), mayPay ? words.renewIt : words.askToRenew, {
      id: 'expiry',
      isPersistent: true,
      icon: <IconClockExclamation size={20} stroke={1.75} />,
      ...(mayPay &&
        hasScreenAt(renewal) && { action: { label: words.renew, run: () => void navigate({ to: renewal }) } }),
    })
  }, [dueDate, mayPay, navigate])
}
