import { Button, Tooltip } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import { IconExternalLink, IconReload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { Handset } from '../../parts/handset.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { Chat } from './chat/chat.tsx'
import { lastTicketOf, useTicketPath } from './inside/use-ticket-path.ts'
import { LinePanel } from './people/line-panel.tsx'
import { PeoplePanel } from './people/people-panel.tsx'
import { useFreshPerson, useNewcomer } from './people/use-newcomer.ts'
import classes from './phone-page.module.css'
import { texts } from './texts.ts'
import type { Address } from './use-address.ts'
import { useCustomers, useInside, useSandboxNews } from './use-sandbox.ts'

// The phone is what people came for: the rest is drawn a blink later.
const InsidePanel = lazy(() => import('./inside/inside-panel.tsx').then((module) => ({ default: module.InsidePanel })))
const LinkScreen = lazy(() => import('./link-screen.tsx').then((module) => ({ default: module.LinkScreen })))

const KeepTalk = lazy(() => import('./keep-talk.tsx').then((module) => ({ default: module.KeepTalk })))

type Props = {
  line: Connection
  lines: Connection[]
  address: Address
  go: (change: Partial<Address>, replace?: boolean) => void
}

/** Design f-sandbox: customers, their phone, what happened inside. On a phone these are three steps. */
export function Workbench({ line, lines, address, go }: Props) {
  const words = useTexts(texts)
  const customers = useCustomers(line.id)
  const person = customers.data?.find((one) => one.number === address.chat)
  const chat = person?.number
  const inside = useInside(line.id, chat)
  useSandboxNews(line.id, chat)
  useFirstPerson(customers.data, address, go)
  useFreshPerson(line, address, go)
  const linking = useLinking(line)
  const ticket = lastTicketOf(inside.data)
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <PageHeader title={words.title} line={words.line}>
          {address.queue !== undefined && person && (
            <Suspense fallback={null}>
              <KeepTalk line={line} chat={person.number} queueId={address.queue} />
            </Suspense>
          )}
          <FromZero line={line} onMade={(number) => go({ line: line.id, chat: number, view: 'chat' })} />
          {ticket !== undefined && <SeeTicket id={ticket} />}
        </PageHeader>
      </div>
      <div className={classes.bench} data-view={address.view}>
        <div className={classes.left}>
          <PeoplePanel
            line={line}
            query={customers}
            chosen={chat}
            onChoose={(number) => go({ line: line.id, chat: number, view: 'chat' })}
          >
            <LinePanel line={line} lines={lines} onLine={(id) => go({ line: id, chat: undefined, view: 'people' })} />
          </PeoplePanel>
        </div>
        <div className={classes.middle}>
          {linking ? (
            <Handset>
              <Suspense fallback={null}>
                <LinkScreen line={line} />
              </Suspense>
            </Handset>
          ) : (
            <Chat
              key={chat ?? ''}
              line={line}
              person={person}
              people={customers.data ?? []}
              shown={address.view === 'chat'}
              onBack={() => go({ view: 'people' })}
              onInside={() => go({ view: 'inside' })}
            />
          )}
        </div>
        <div className={classes.right}>
          <Suspense fallback={<div className={classes.card} />}>
            <InsidePanel line={line} person={person} query={inside} onBack={() => go({ view: 'chat' })} />
          </Suspense>
        </div>
      </div>
    </div>
  )
}

/**
 * Until the line is linked there is nobody to write to. A line that only lost its network keeps its customers: what
 * they write waits, as on any phone. And a new code is being made between two that are shown.
 */
function useLinking({ status, reason, number }: Connection): boolean {
  const needed =
    status === 'qrcode' || (status === 'DISCONNECTED' && !['network', 'start-failed'].includes(reason)) || !number
  const [linking, setLinking] = useState(needed)
  const next = status === 'CONNECTED' ? false : linking || needed
  if (next !== linking) setLinking(next)
  return next
}

/** Where everything is in sight somebody's phone is open; on a small screen the list comes first. */
function useFirstPerson(customers: { number: string }[] | undefined, address: Address, go: Props['go']): void {
  const small = usePhone()
  const first = customers?.[0]?.number
  const known = customers?.some((one) => one.number === address.chat)
  const open = useEffectEvent(() => go({ chat: first }, true))
  useEffect(() => {
    if (!small && first !== undefined && !known && !address.fresh) open()
  }, [small, first, known, address.fresh])
}

/** Somebody new, whom no contact and no ticket knows: the quickest way to see everything from its beginning. */
function FromZero({ line, onMade }: { line: Connection; onMade: (number: string) => void }) {
  const words = useTexts(texts)
  const make = useNewcomer(line.id, onMade)
  return (
    <Tooltip label={words.fromZeroHelp}>
      <Button variant="default" leftSection={<IconReload size={17} stroke={1.75} />} onClick={() => void make()}>
        {words.fromZero}
      </Button>
    </Tooltip>
  )
}

function SeeTicket({ id }: { id: number }) {
  const words = useTexts(texts)
  const { path } = useTicketPath(id)
  return (
    <Button component={Link} {...({ to: path } as object)} leftSection={<IconExternalLink size={17} stroke={1.75} />}>
      {words.seeTicket}
    </Button>
  )
}
