import { Button, Group } from '@mantine/core'
import { type CampaignDetail, CampaignWrite, campaignsApi } from '@recado/contract/campaigns/campaigns'
import type { CampaignSettings } from '@recado/contract/campaigns/settings'
import type { Connection } from '@recado/contract/connections'
import { lineTraits } from '@recado/contract/line-traits'
import { IconChartBar, IconDeviceMobile, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { currentTexts, defineTexts, useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { reportProgressAs, saveAttachedMedia } from '../../../parts/attached-media.ts'
import { BackTitle } from '../../../parts/back-title.tsx'
import { useLeaveGuard } from '../../../records/use-leave-guard.ts'
import { useRecordForm } from '../../../records/use-record-form.ts'
import { writeRecord } from '../../../records/write-record.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { IconHintText } from '../../../ui/phone-bar/icon-hint-text.tsx'
import { CampaignPlanPane } from '../plan/campaign-plan-pane.tsx'
import { useStartCampaign } from '../plan/use-start-campaign.ts'
import { canCancelCampaign, cancelCampaign, canRestartCampaign, restartCampaign } from '../shared/campaign-actions.ts'
import { CampaignStatusChip } from '../shared/campaign-status-chip.tsx'
import { campaignScreenTexts } from '../shared/texts.ts'
import { CampaignFields } from './campaign-fields.tsx'
import {
  type CampaignFormValues,
  checkScheduledInFuture,
  toCampaignBody,
  toCampaignFormValues,
} from './campaign-form-values.ts'
import classes from './form.module.css'
import { PhonePreviewPane } from './phone-preview-pane.tsx'
import type { SelectedText } from './selected-text.ts'
import { texts } from './texts.ts'

/** The word below the icon, on a phone. */
const hints = defineTexts({ es: { preview: 'Vista' }, pt: { preview: 'Ver' }, en: { preview: 'Preview' } })

const PhonePreviewSheet = lazy(() =>
  import('./phone-preview-sheet.tsx').then((module) => ({ default: module.PhonePreviewSheet })),
)
const SendTestDialog = lazy(() =>
  import('./send-test-dialog.tsx').then((module) => ({ default: module.SendTestDialog })),
)

type Props = {
  /**
   * The saved campaign; null while it is being created. `start` has the initial values: its own, or those of another
   * campaign.
   */
  row: CampaignDetail | null
  start: CampaignDetail | null
  zone: string
  lines: Connection[]
  settings: CampaignSettings
  onSaved: (saved: CampaignDetail) => void
}

export function CampaignEditor({ row, start, zone, lines, settings, onSaved }: Props) {
  const words = useTexts(texts)
  const common = useTexts(campaignScreenTexts)
  const navigate = useNavigate()
  const [selectedText, setSelectedText] = useState<SelectedText>({ kind: 'message', n: 1 })
  const [dialog, setDialog] = useState<'phone' | 'test' | null>(null)
  /** What is being saved: a draft, or a campaign to be sent. */
  const [saveState] = useState<{ willSend: boolean; saved: CampaignDetail | null }>({ willSend: false, saved: null })
  const editable = row?.editable ?? 'all'
  const { form, root, submit, saving, progress } = useRecordForm<CampaignFormValues, CampaignDetail>({
    row,
    initial: toCampaignFormValues(start, zone, row || !start ? null : words.copyOf(start.name)),
    schema: CampaignWrite,
    fieldByErrorCode: { ERR_FILE_TYPE: 'media', ERR_FILESIZE_OVER_LIMIT: 'media', ERR_CAMPAIGN_NO_LINE: 'whatsappId' },
    write: (values, before) =>
      writeRecord(campaignsApi, toCampaignBody(values, saveState.willSend ? values.scheduledAt || null : null), before),
    afterSave: (saved, { media }, tell) =>
      saveAttachedMedia(campaignsApi, saved, media, reportProgressAs(tell, 'media')),
    check: ({ scheduledAt }) => (saveState.willSend ? checkScheduledInFuture(scheduledAt, zone) : {}),
    onSaved: (saved) => {
      saveState.saved = saved
      onSaved(saved)
    },
  })
  useLeaveGuard(() => editable !== 'nothing' && form.isDirty())
  const line = lines.find(({ id }) => String(id) === form.values.whatsappId)
  const official = line !== undefined && lineTraits[line.provider].window

  /** Returns the stored row; null when there are errors to correct first. */
  const save = async (willSend: boolean): Promise<CampaignDetail | null> => {
    saveState.willSend = willSend
    if (!(await submit()) || !saveState.saved) return null
    // A file that was already uploaded must not be uploaded again.
    form.setFieldValue('media', toCampaignFormValues(saveState.saved, zone, null).media)
    form.resetDirty()
    return saveState.saved
  }
  const goTo = (id: number) =>
    navigate({ to: '/campaigns/$campaignId', params: { campaignId: String(id) }, replace: true })
  const saveDraft = async () => {
    const saved = await save(row !== null && row.status !== 'INATIVA')
    if (!saved) return
    toast.ok(row ? words.saved : words.created, saved.name)
    await goTo(saved.id)
  }
  const startCampaign = useStartCampaign({ save, settings, values: form.values, row })
  const isDraft = row === null || row.status === 'INATIVA'
  const phone = (
    <PhonePreviewPane
      values={form.values}
      settings={settings}
      selectedText={selectedText}
      isOfficialApi={official}
      onSendTest={editable === 'nothing' && !row ? undefined : () => setDialog('test')}
    />
  )
  return (
    <div className={classes.page}>
      <PageHeader
        title={
          <span className={classes.title}>
            <BackTitle to="/campaigns">{row?.name ?? words.newTitle}</BackTitle>
            {row && <CampaignStatusChip campaign={row} />}
          </span>
        }
      >
        <Button
          className={classes.phoneButton ?? ''}
          variant="default"
          leftSection={
            <>
              <IconDeviceMobile size={17} stroke={1.75} />
              <IconHintText>{currentTexts(hints).preview}</IconHintText>
            </>
          }
          onClick={() => setDialog('phone')}
        >
          {words.seePhone}
        </Button>
        {row?.startedAt && (
          <Button
            variant="default"
            leftSection={<IconChartBar size={17} stroke={1.75} />}
            onClick={() =>
              void navigate({ to: '/campaign/$campaignId/report', params: { campaignId: String(row.id) } })
            }
          >
            {common.report}
          </Button>
        )}
        {row && canCancelCampaign(row) && (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={17} stroke={1.75} />}
            onClick={() => void cancelCampaign(row)}
          >
            {common.cancel}
          </Button>
        )}
      </PageHeader>
      <form
        ref={root}
        className={classes.panes}
        noValidate
        aria-busy={saving}
        onSubmit={(event) => {
          event.preventDefault()
          void saveDraft()
        }}
      >
        <div className={classes.fields}>
          <CampaignFields
            {...{
              form,
              lines,
              zone,
              settings,
              editable,
              isOfficialApi: official,
              selectedText: selectedText,
              progress,
            }}
            onSelectText={setSelectedText}
          />
        </div>
        <div className={classes.phone}>{phone}</div>
        <div className={classes.plan}>
          <CampaignPlanPane
            row={row}
            values={form.values}
            startCampaign={startCampaign}
            isEditable={isDraft || editable === 'all'}
          />
          <footer className={classes.foot}>
            <EditorFooter scheduleText={startCampaign.scheduleText} hint={words.exactly} isVisible={isDraft} />
            <Group gap="sm" wrap="nowrap">
              {editable !== 'nothing' && (
                <Button
                  type="submit"
                  variant={isDraft ? 'default' : 'filled'}
                  loading={saving && !startCampaign.isBusy}
                  disabled={startCampaign.isBusy}
                >
                  {isDraft ? words.keepDraft : words.keepChanges}
                </Button>
              )}
              {row && canRestartCampaign(row) && (
                <Button
                  leftSection={<IconPlayerPlay size={17} stroke={1.75} />}
                  disabled={form.isDirty()}
                  onClick={() => void restartCampaign(row)}
                >
                  {common.restart}
                </Button>
              )}
              {isDraft && (
                <Button
                  loading={startCampaign.isBusy}
                  disabled={!startCampaign.isReady}
                  onClick={() => void startCampaign.run()}
                >
                  {form.values.scheduledAt ? words.schedule : words.startNow}
                </Button>
              )}
            </Group>
          </footer>
        </div>
      </form>
      {dialog === 'phone' && (
        <Suspense fallback={null}>
          <PhonePreviewSheet title={words.seePhone} onClose={() => setDialog(null)}>
            {phone}
          </PhonePreviewSheet>
        </Suspense>
      )}
      {dialog === 'test' && (
        <Suspense fallback={null}>
          <SendTestDialog
            onClose={() => setDialog(null)}
            campaign={async () => {
              if (row && (editable === 'nothing' || !form.isDirty())) return row.id
              const saved = await save(row !== null && row.status !== 'INATIVA')
              if (saved && !row) await goTo(saved.id)
              return saved?.id ?? null
            }}
            send={(id, number) => callApi(campaignsApi.test, { params: { id }, body: { number } })}
          />
        </Suspense>
      )}
    </div>
  )
}

function EditorFooter({ scheduleText, hint, isVisible }: { scheduleText: string; hint: string; isVisible: boolean }) {
  if (!isVisible || !scheduleText) return <span className={classes.rest} />
  return (
    <span className={classes.rest}>
      <strong>{scheduleText}</strong>
      <small>{hint}</small>
    </span>
  )
}
