import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useIsSuper } from '../../lib/can.tsx'
import { useTexts } from '../../lib/texts.ts'
import { useSettings } from '../../parts/use-settings.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import classes from './settings.module.css'
import { texts } from './texts.ts'

// Each tab is loaded as a separate screen.
const OptionsTab = lazy(() => import('./options-tab.tsx').then((tab) => ({ default: tab.OptionsTab })))
const OpeningHoursTab = lazy(() => import('./opening-hours-tab.tsx').then((tab) => ({ default: tab.OpeningHoursTab })))
const HolidaysTab = lazy(() => import('./holidays-tab.tsx').then((tab) => ({ default: tab.HolidaysTab })))
const WordingTab = lazy(() => import('./wording-tab.tsx').then((tab) => ({ default: tab.WordingTab })))
const AuditTab = lazy(() => import('./audit-tab.tsx').then((tab) => ({ default: tab.AuditTab })))
const CompaniesTab = lazy(() => import('./companies-tab.tsx').then((tab) => ({ default: tab.CompaniesTab })))
const PlansTab = lazy(() => import('./plans-tab.tsx').then((tab) => ({ default: tab.PlansTab })))
const HelpsTab = lazy(() => import('./helps-tab.tsx').then((tab) => ({ default: tab.HelpsTab })))

type Tab = keyof (typeof texts)['es']['tabs']

export function SettingsPage() {
  const words = useTexts(texts)
  const settings = useSettings()
  const isSuper = useIsSuper()
  const navigate = useNavigate()
  const offered = [...companyTabs(settings.getValue('scheduleType')), ...(isSuper ? platformTabs : [])]
  const { tab } = useSearch({ strict: false }) as { tab?: Tab }
  const current = tab && offered.includes(tab) ? tab : 'options'
  return (
    <div className={classes.page}>
      <PageHeader title={words.title} />
      <Tabs
        className={classes.tabs ?? ''}
        value={current}
        onChange={(next) => void navigate({ to: '/settings', search: { tab: next }, replace: true })}
      >
        <Tabs.List className={classes.tabList ?? ''}>
          {offered.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {words.tabs[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={current} className={classes.panel ?? ''}>
          <Suspense fallback={null}>
            {current === 'options' && <OptionsTab settings={settings} />}
            {current === 'schedules' && <OpeningHoursTab />}
            {current === 'holidays' && <HolidaysTab />}
            {current === 'wording' && <WordingTab settings={settings} />}
            {current === 'audit' && <AuditTab />}
            {current === 'companies' && <CompaniesTab />}
            {current === 'plans' && <PlansTab />}
            {current === 'helps' && <HelpsTab />}
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </div>
  )
}

/** The tab with opening hours appears only when hours are company-wide; holidays whenever hours are in use. */
const companyTabs = (type: string): Tab[] => [
  'options',
  ...(type === 'company' ? ['schedules' as const] : []),
  ...(type === 'disabled' ? [] : ['holidays' as const]),
  'wording',
  'audit',
]
const platformTabs: Tab[] = ['companies', 'plans', 'helps']
