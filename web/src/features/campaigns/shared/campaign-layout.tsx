import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import classes from './campaign-layout.module.css'
import { campaignScreenTexts } from './texts.ts'

const addresses = { campaigns: '/campaigns', lists: '/contact-lists', config: '/campaigns-config' } as const
type Tab = keyof typeof addresses
const tabs = Object.keys(addresses) as Tab[]

/** The three campaign screens as tabs, in the order of the menu. */
export function CampaignLayout({ tab, children }: { tab: Tab; children: ReactNode }) {
  const words = useTexts(campaignScreenTexts)
  const navigate = useNavigate()
  return (
    <div className={classes.page}>
      <PageHeader title={words.tabs[tab]} />
      <Tabs
        className={classes.tabs ?? ''}
        value={tab}
        onChange={(next) => void navigate({ to: addresses[(next ?? tab) as Tab] })}
      >
        <Tabs.List className={classes.tabList ?? ''}>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {words.tabs[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className={classes.panel ?? ''}>
          {children}
        </Tabs.Panel>
      </Tabs>
    </div>
  )
}
