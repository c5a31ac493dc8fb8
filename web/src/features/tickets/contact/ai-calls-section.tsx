import { Button } from '@mantine/core'
import { externalCallsApi } from '@recado/contract/integrations/external-calls'
import { IconRobot } from '@tabler/icons-react'
import { lazy, Suspense, useId, useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useCan } from '../../../lib/can.tsx'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import classes from './contact-drawer.module.css'
import { texts } from './texts.ts'

const CallLog = lazy(() =>
  import('../../../parts/integrations/call-log.tsx').then((module) => ({ default: module.CallLog })),
)

/** AI and integration calls about this ticket: for admins, loaded on request. */
export function AiCallsSection({ ticketId }: { ticketId: number }) {
  const words = useTexts(texts)
  const id = useId()
  const [open, setOpen] = useState(false)
  const mayRead = useCan()('settings-page:edit')
  const { plan } = useSession()
  if (!mayRead || !(plan?.useOpenAi || plan?.useIntegrations)) return null
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h3 className={classes.heading} id={id}>
        {words.machines}
      </h3>
      {open ? (
        <div className={classes.calls}>
          <Suspense fallback={null}>
            <CallLog
              of={['ticket', ticketId]}
              loadPage={(query, signal) =>
                callApi(externalCallsApi.ofTicket, { params: { ticketId }, query }, { signal })
              }
            />
          </Suspense>
        </div>
      ) : (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconRobot size={15} stroke={1.75} />}
          onClick={() => setOpen(true)}
        >
          {words.seeMachines}
        </Button>
      )}
    </section>
  )
}
