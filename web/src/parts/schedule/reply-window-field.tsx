import { Button } from '@mantine/core'
import { dateOfWallTime } from '@recado/contract/schedules/occurrences'
import { schedulesApi } from '@recado/contract/schedules/schedules'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { formatDayTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import type { ChosenTemplate } from '../conversation/templates/choose-template-dialog.tsx'
import classes from './schedule-form.module.css'
import { texts } from './texts.ts'

const ChooseTemplateDialog = lazy(() =>
  import('../conversation/templates/choose-template-dialog.tsx').then((module) => ({
    default: module.ChooseTemplateDialog,
  })),
)

type Props = {
  person: { id: number; name: string } | null
  whatsappId: number | null
  /** The chosen send time, as local time. */
  sendAt: string
  zone: string
  hasTemplate: boolean
  /** Called with the chosen template; null returns to free text. */
  onTemplate: (template: ChosenTemplate | null) => void
}

/** For an official line: whether free text is still allowed at that time, and otherwise the template to send. */
export function ReplyWindowField({ person: contact, whatsappId, sendAt, zone, hasTemplate, onTemplate }: Props) {
  const words = useTexts(texts)
  const [opened, setOpened] = useState(false)
  const contactId = contact?.id ?? 0
  const windowQuery = useQuery({
    queryKey: ['schedules', 'place', contactId, whatsappId],
    queryFn: ({ signal }) => callApi(schedulesApi.place, { query: { contactId, whatsappId } }, { signal }),
    enabled: contact !== null,
    retry: false,
  })
  const windowEndsAt = windowQuery.data?.windowEndsAt ?? null
  const isFree = windowQuery.isSuccess && windowEndsAt === null
  const drop = useEffectEvent(() => hasTemplate && onTemplate(null))
  // Only official lines send templates: on other lines any text is allowed.
  useEffect(() => {
    if (isFree) drop()
  }, [isFree])
  if (!contact || windowEndsAt === null) return null
  const isShut = sendAt !== '' && dateOfWallTime(sendAt, zone).toISOString() > windowEndsAt
  const choose = (
    <Button size="xs" variant="default" onClick={() => setOpened(true)}>
      {hasTemplate ? words.otherTemplate : words.chooseTemplate}
    </Button>
  )
  return (
    <div className={classes.window}>
      {isShut && !hasTemplate ? (
        <InlineNotice kind="warn">
          <p>
            {Date.parse(windowEndsAt) < Date.now()
              ? words.windowIsShut
              : words.windowWillBeShut(formatDayTime(windowEndsAt))}
          </p>
          {choose}
        </InlineNotice>
      ) : (
        choose
      )}
      {opened && (
        <Suspense fallback={null}>
          <ChooseTemplateDialog
            opened
            whatsappId={windowQuery.data?.whatsappId ?? 0}
            contact={contact.name}
            onClose={() => setOpened(false)}
            onChoose={onTemplate}
          />
        </Suspense>
      )}
    </div>
  )
}
