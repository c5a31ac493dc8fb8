import { Skeleton } from '@mantine/core'
import { companiesApi } from '@recado/contract/companies'
import { settingsApi } from '@recado/contract/settings'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { useSession } from '../../../lib/session.tsx'
import { useSettings } from '../../../parts/use-settings.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { CampaignLayout } from '../shared/campaign-layout.tsx'
import { useCampaignSettings } from '../shared/use-campaign-settings.ts'
import classes from './campaign-config-form.module.css'
import { CampaignConfigForm } from './campaign-config-form.tsx'

export function CampaignConfigPage() {
  const id = useSession().user?.companyId ?? 0
  const settings = useCampaignSettings()
  const general = useSettings()
  const company = useQuery({
    queryKey: ['company', id],
    queryFn: ({ signal }) => callApi(companiesApi.show, { params: { id } }, { signal }),
  })
  const holidays = useQuery({
    queryKey: ['holidays'],
    queryFn: ({ signal }) => callApi(settingsApi.holidays, {}, { signal }),
  })
  const failed = [settings, company, holidays, general].find((one) => one.isError)
  return (
    <CampaignLayout tab="config">
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : settings.data && company.data && holidays.data && !general.isPending ? (
        <CampaignConfigForm
          storedSettings={settings.data}
          save={settings.save}
          company={{ week: company.data.schedules, holidays: holidays.data, zone: general.getValue('timezone') }}
        />
      ) : (
        <div className={classes.page}>
          <Skeleton height={320} radius={12} m={24} />
        </div>
      )}
    </CampaignLayout>
  )
}
