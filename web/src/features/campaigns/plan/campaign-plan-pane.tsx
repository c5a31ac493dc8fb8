import type { CampaignDetail } from '@recado/contract/campaigns/campaigns'
import { lazy, Suspense } from 'react'
import { useErrorText } from '../../../lib/errors.ts'
import { useTexts } from '../../../lib/texts.ts'
import { InlineNotice } from '../../../ui/inline-notice.tsx'
import type { CampaignFormValues } from '../form/campaign-form-values.ts'
import classes from './campaign-plan-view.module.css'
import { texts } from './texts.ts'
import type { StartCampaign } from './use-start-campaign.ts'

/** The plan view is loaded only when there are recipients to plan for. */
const CampaignPlanView = lazy(() =>
  import('./campaign-plan-view.tsx').then((module) => ({ default: module.CampaignPlanView })),
)

type Props = {
  row: CampaignDetail | null
  values: CampaignFormValues
  startCampaign: StartCampaign
  isEditable: boolean
}

export function CampaignPlanPane({ row, values, startCampaign, isEditable }: Props) {
  const words = useTexts(texts)
  const errorText = useErrorText()
  const { plan, sendingPlan: now } = startCampaign
  if (row && row.startedAt !== null)
    return (
      <div className={classes.pane}>
        <p className={classes.quiet}>{words.begun}</p>
      </div>
    )
  if (values.contactListId === null && values.tagId === null)
    return (
      <div className={classes.pane}>
        <h2 className={classes.title}>{words.title}</h2>
        <p className={classes.quiet}>{words.noAudience}</p>
      </div>
    )
  if (plan.isError)
    return (
      <div className={classes.pane}>
        <InlineNotice kind="danger">{errorText(plan.error)}</InlineNotice>
      </div>
    )
  const counting = (
    <div className={classes.pane}>
      <p className={classes.quiet}>{words.counting}</p>
    </div>
  )
  if (!plan.data || !now) return counting
  return (
    <Suspense fallback={counting}>
      <CampaignPlanView
        plan={plan.data}
        sendingPlan={now}
        startCampaign={startCampaign}
        isEditable={isEditable}
        hasNoLine={values.whatsappId === null}
      />
    </Suspense>
  )
}
