import { Button } from '@mantine/core'
import { IconClockExclamation } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useCan } from '../../lib/can.tsx'
import { useSession } from '../../lib/session.tsx'
import { textsNow } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { router, screens } from '../router.tsx'
import { texts } from './texts.ts'

/** Spec, section 9. */
const warnUnder = 5
const renewal = '/financeiro'

/** Once per visit, while there is still time to pay. */
export function useExpiryWarning(): void {
  const dueDate = useSession().user?.company.dueDate
  const mayPay = useCan()('drawer-admin-items:view')
  useEffect(() => {
    if (!dueDate) return
    const days = Math.floor((new Date(dueDate).getTime() - Date.now()) / 86_400_000)
    if (!(days < warnUnder)) return
    const words = textsNow(texts)
    const exists = screens.some((screen) => screen.path === renewal)
    toast.warn(words.expires(days), mayPay ? words.renewIt : words.askToRenew, {
      id: 'expiry',
      stays: true,
      icon: <IconClockExclamation size={20} stroke={1.75} />,
      ...(mayPay && exists && { action: <Renew /> }),
    })
  }, [dueDate, mayPay])
}

function Renew() {
  return (
    <Button variant="default" size="xs" onClick={() => router.navigate({ to: renewal })}>
      {textsNow(texts).renew}
    </Button>
  )
}
