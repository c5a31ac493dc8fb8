import { useDebouncedValue } from '@mantine/hooks'
import { type CampaignDetail, type CampaignPlan, campaignsApi } from '@recado/contract/campaigns/campaigns'
import { planSending, type SendingPlan } from '@recado/contract/campaigns/pace'
import type { CampaignSettings } from '@recado/contract/campaigns/settings'
import type { Holiday, Hours } from '@recado/contract/hours/hours'
import { toWallTime } from '@recado/contract/schedules/occurrences'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { formatDayIn, formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { openConfirm } from '../../../ui/confirm.tsx'
import { type CampaignFormValues, toCampaignBody } from '../form/campaign-form-values.ts'
import { useCampaignSettings } from '../shared/use-campaign-settings.ts'
import { texts } from './texts.ts'

type StartCampaignOptions = {
  row: CampaignDetail | null
  values: CampaignFormValues
  settings: CampaignSettings
  save: (goes: boolean) => Promise<CampaignDetail | null>
}
type TriedSettings = Pick<CampaignSettings, 'messageInterval' | 'dailyLimit'>

/** Formats a moment in the company's time zone, like the days beside it, without the year. */
const formatShortMoment = (moment: string, zone: string) =>
  `${formatDayIn(moment, zone).slice(0, 5)} ${toWallTime(new Date(moment), zone).slice(11)}`

/** Debounce: the server does not count recipients while the user types. */
const planDebounceMs = 400

/**
 * The plan of a campaign, and its start. The server counts the recipients. The schedule is computed in the browser,
 * so that a change of settings shows at once.
 */
export function useStartCampaign({ row, values, settings, save }: StartCampaignOptions) {
  const words = useTexts(texts)
  const navigate = useNavigate()
  const { save: saveSettings } = useCampaignSettings()
  const [triedSettings, setTriedSettings] = useState<Partial<TriedSettings>>({})
  const [busy, setBusy] = useState(false)
  const { plan, planQuery: asked } = useCampaignPlan(row, values)
  const isMoved = Object.keys(triedSettings).length > 0
  const { data } = plan
  const now = useMemo(
    () => data && calculatePlan(data, { ...settings, ...triedSettings }),
    [data, settings, triedSettings],
  )
  /** The plan before a setting was changed. */
  const before = useMemo(() => (data && isMoved ? calculatePlan(data, settings) : null), [data, settings, isMoved])
  const zone = data?.basis.zone ?? ''
  const span =
    now?.firstAt && now.lastAt
      ? words.fromTo(formatShortMoment(now.firstAt, zone), formatShortMoment(now.lastAt, zone))
      : ''

  const start = async () => {
    if (isMoved) await saveSettings(triedSettings)
    const saved = await save(true)
    if (!saved) return
    try {
      await callApi(campaignsApi.start, { params: { id: saved.id }, body: { gets: data?.gets ?? 0 } })
    } catch (error) {
      // The user did not confirm, so the scheduled time is removed: a campaign with a time is sent without a start.
      if (saved.status === 'PROGRAMADA')
        await callApi(campaignsApi.update, { params: { id: saved.id }, body: toCampaignBody(values, null) })
      throw error
    }
    const params = { campaignId: String(saved.id) }
    toast.ok(values.scheduledAt ? words.scheduled : words.started, saved.name)
    await (values.scheduledAt
      ? navigate({ to: '/campaigns' })
      : navigate({ to: '/campaign/$campaignId/report', params, replace: true }))
  }
  const run = async () => {
    if (!data) return
    const yes = await openConfirm({
      title: words.ask(data.gets, formatNumber(data.gets)),
      consequence: [span, isMoved && words.savesSettings].filter(Boolean).join('. '),
      verb: values.scheduledAt ? words.schedule : words.start,
      kind: 'plain',
    })
    if (!yes) return
    setBusy(true)
    try {
      await start()
    } catch (error) {
      toast.error(error)
      void plan.refetch()
    } finally {
      setBusy(false)
    }
  }
  return {
    plan,
    sendingPlan: now,
    previousPlan: before,
    /** The query of the plan, to list its people. */
    planQuery: { ...asked, settings: triedSettings },
    isBusy: busy,
    run,
    scheduleText: span,
    isReady: !!data && data.gets > 0 && now?.firstAt != null && !plan.isPlaceholderData,
    currentSettings: { ...settings, ...triedSettings },
    storedSettings: settings,
    hasTriedSettings: isMoved,
    trySettings: (part: Partial<TriedSettings>) => setTriedSettings((before) => ({ ...before, ...part })),
    resetSettings: () => setTriedSettings({}),
  }
}
export type StartCampaign = ReturnType<typeof useStartCampaign>

function calculatePlan({ gets, basis }: CampaignPlan, settings: CampaignSettings): SendingPlan {
  const { from, week, holidays, zone, line } = basis
  return planSending({
    count: gets,
    from: new Date(from),
    calendar: { week: week as Hours[], holidays: holidays as Holiday[], zone },
    pace: settings,
    dailyLimit: settings.dailyLimit,
    line,
  })
}

function useCampaignPlan(row: CampaignDetail | null, values: CampaignFormValues) {
  const id = (of: string | null) => (of === null ? null : Number(of))
  const [asked] = useDebouncedValue(
    {
      id: row?.id ?? null,
      contactListId: id(values.contactListId),
      tagId: id(values.tagId),
      whatsappId: id(values.whatsappId),
      scheduledAt: values.scheduledAt || null,
      confirmation: values.confirmation,
      template: values.template && { name: values.template.name, language: values.template.language },
    },
    planDebounceMs,
  )
  const plan = useQuery({
    queryKey: ['campaign-plan', asked],
    queryFn: ({ signal }) => callApi(campaignsApi.plan, { body: asked }, { signal }),
    enabled: asked.contactListId !== null || asked.tagId !== null,
    placeholderData: keepPreviousData,
    // The plan is loaded again, because numbers are checked and people opt out while the user edits.
    refetchInterval: 15_000,
    retry: false,
  })
  return { plan, planQuery: asked }
}
