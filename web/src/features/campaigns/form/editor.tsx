import { Button, Group } from '@mantine/core'
import { type CampaignDetail, CampaignWrite, campaignsApi } from '@recado/contract/campaigns/campaigns'
import type { CampaignSettings } from '@recado/contract/campaigns/settings'
import type { Connection } from '@recado/contract/connections'
import { traits } from '@recado/contract/traits'
import { IconChartBar, IconDeviceMobile, IconPlayerPlay, IconSquare } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { settleMedia, tellAs } from '../../../parts/attached-media.ts'
import { BackTitle } from '../../../parts/back-title.tsx'
import { useLeaveGuard } from '../../../records/use-leave-guard.ts'
import { useRecordForm } from '../../../records/use-record-form.ts'
import { writeRecord } from '../../../records/write-record.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { canCancel, cancelCampaign, canRestart, restartCampaign } from '../frame/deeds.ts'
import { StateChip } from '../frame/state-chip.tsx'
import { frameTexts } from '../frame/texts.ts'
import { PlanPane } from '../plan/plan-pane.tsx'
import { useStart } from '../plan/use-start.ts'
import { Fields } from './fields.tsx'
import classes from './form.module.css'
import { PhonePane } from './phone-pane.tsx'
import { texts } from './texts.ts'
import { bodyOf, mustBeAhead, type Values, valuesOf } from './values.ts'
import type { Which } from './which.ts'

const PhoneSheet = lazy(() => import('./phone-sheet.tsx').then((module) => ({ default: module.PhoneSheet })))
const TestDialog = lazy(() => import('./test-dialog.tsx').then((module) => ({ default: module.TestDialog })))

type Props = {
  /** Null: it is about to be made. `start` is what it begins with, its own or another's. */
  row: CampaignDetail | null
  start: CampaignDetail | null
  zone: string
  lines: Connection[]
  settings: CampaignSettings
  onStored: (saved: CampaignDetail) => void
}

export function Editor({ row, start, zone, lines, settings, onStored }: Props) {
  const words = useTexts(texts)
  const common = useTexts(frameTexts)
  const navigate = useNavigate()
  const [which, setWhich] = useState<Which>({ kind: 'message', n: 1 })
  const [dialog, setDialog] = useState<'phone' | 'test' | null>(null)
  /** What is written now: a draft, or one that is to go out. */
  const [pen] = useState<{ goes: boolean; saved: CampaignDetail | null }>({ goes: false, saved: null })
  const editable = row?.editable ?? 'all'
  const { form, root, submit, saving, progress } = useRecordForm<Values, CampaignDetail>({
    row,
    initial: valuesOf(start, zone, row || !start ? null : words.copyOf(start.name)),
    schema: CampaignWrite,
    codes: { ERR_FILE_TYPE: 'media', ERR_FILESIZE_OVER_LIMIT: 'media', ERR_CAMPAIGN_NO_LINE: 'whatsappId' },
    write: (values, before) =>
      writeRecord(campaignsApi, bodyOf(values, pen.goes ? values.scheduledAt || null : null), before),
    after: (saved, { media }, tell) => settleMedia(campaignsApi, saved, media, tellAs(tell, 'media')),
    check: ({ scheduledAt }) => (pen.goes ? mustBeAhead(scheduledAt, zone) : {}),
    onSaved: (saved) => {
      pen.saved = saved
      onStored(saved)
    },
  })
  useLeaveGuard(() => editable !== 'nothing' && form.isDirty())
  const line = lines.find(({ id }) => String(id) === form.values.whatsappId)
  const official = line !== undefined && traits[line.provider].window

  /** The row as it is stored then; null where something has to be mended first. */
  const save = async (goes: boolean): Promise<CampaignDetail | null> => {
    pen.goes = goes
    if (!(await submit()) || !pen.saved) return null
    // A file that was sent is no file to be sent.
    form.setFieldValue('media', valuesOf(pen.saved, zone, null).media)
    form.resetDirty()
    return pen.saved
  }
  const goTo = (id: number) =>
    navigate({ to: '/campaigns/$campaignId', params: { campaignId: String(id) }, replace: true })
  const keep = async () => {
    const saved = await save(row !== null && row.status !== 'INATIVA')
    if (!saved) return
    toast.ok(row ? words.saved : words.created, saved.name)
    await goTo(saved.id)
  }
  const starting = useStart({ save, settings, values: form.values, row })
  const isDraft = row === null || row.status === 'INATIVA'
  const phone = (
    <PhonePane
      values={form.values}
      settings={settings}
      which={which}
      official={official}
      onTest={editable === 'nothing' && !row ? undefined : () => setDialog('test')}
    />
  )
  return (
    <div className={classes.page}>
      <PageHeader
        title={
          <span className={classes.title}>
            <BackTitle to="/campaigns">{row?.name ?? words.newTitle}</BackTitle>
            {row && <StateChip campaign={row} />}
          </span>
        }
      >
        <Button
          className={classes.phoneButton ?? ''}
          variant="default"
          leftSection={<IconDeviceMobile size={17} stroke={1.75} />}
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
        {row && canCancel(row) && (
          <Button
            variant="default"
            leftSection={<IconSquare size={17} stroke={1.75} />}
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
          void keep()
        }}
      >
        <div className={classes.fields}>
          <Fields {...{ form, lines, zone, settings, editable, official, which, progress }} onWhich={setWhich} />
        </div>
        <div className={classes.phone}>{phone}</div>
        <div className={classes.plan}>
          <PlanPane row={row} values={form.values} levers={starting} editable={isDraft || editable === 'all'} />
          <footer className={classes.foot}>
            <Foot reckoned={starting.reckoned} said={words.exactly} shown={isDraft} />
            <Group gap="sm" wrap="nowrap">
              {editable !== 'nothing' && (
                <Button
                  type="submit"
                  variant={isDraft ? 'default' : 'filled'}
                  loading={saving && !starting.busy}
                  disabled={starting.busy}
                >
                  {isDraft ? words.keepDraft : words.keepChanges}
                </Button>
              )}
              {row && canRestart(row) && (
                <Button
                  leftSection={<IconPlayerPlay size={17} stroke={1.75} />}
                  disabled={form.isDirty()}
                  onClick={() => void restartCampaign(row)}
                >
                  {common.restart}
                </Button>
              )}
              {isDraft && (
                <Button loading={starting.busy} disabled={!starting.ready} onClick={() => void starting.run()}>
                  {form.values.scheduledAt ? words.schedule : words.startNow}
                </Button>
              )}
            </Group>
          </footer>
        </div>
      </form>
      {dialog === 'phone' && (
        <Suspense fallback={null}>
          <PhoneSheet title={words.seePhone} onClose={() => setDialog(null)}>
            {phone}
          </PhoneSheet>
        </Suspense>
      )}
      {dialog === 'test' && (
        <Suspense fallback={null}>
          <TestDialog
            onClose={() => setDialog(null)}
            campaign={async () => {
              if (row && (editable === 'nothing' || !form.isDirty())) return row.id
              const saved = await save(row !== null && row.status !== 'INATIVA')
              if (saved && !row) await goTo(saved.id)
              return saved?.id ?? null
            }}
            send={(id, number) => call(campaignsApi.test, { params: { id }, body: { number } })}
          />
        </Suspense>
      )}
    </div>
  )
}

function Foot({ reckoned, said, shown }: { reckoned: string; said: string; shown: boolean }) {
  if (!shown || !reckoned) return <span className={classes.rest} />
  return (
    <span className={classes.rest}>
      <strong>{reckoned}</strong>
      <small>{said}</small>
    </span>
  )
}
