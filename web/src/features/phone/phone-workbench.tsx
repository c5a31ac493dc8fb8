import { Button, Tooltip } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import { IconExternalLink, IconUserPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { currentTexts, defineTexts, useTexts } from '../../lib/texts.ts'
import { PhoneFrame } from '../../parts/phone-frame.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { IconHintText } from '../../ui/phone-bar/icon-hint-text.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { PhoneChat } from './chat/phone-chat.tsx'
import { CustomersPanel } from './customers/customers-panel.tsx'
import { TestLinePanel } from './customers/test-line-panel.tsx'
import { useCreateCustomer, useCreateCustomerFromAddress } from './customers/use-create-customer.ts'
import classes from './phone-page.module.css'
import { texts } from './texts.ts'
import { findLastTicketId, useTicketPath } from './trace/use-ticket-path.ts'
import type { PhoneAddress } from './use-phone-address.ts'
import { useSandboxCustomers, useSandboxNews, useSandboxTrace } from './use-sandbox.ts'

/** The word below the icon, on a phone. */
const hints = defineTexts({ es: { customer: 'Cliente' }, pt: { customer: 'Cliente' }, en: { customer: 'Customer' } })

// The phone is the main content; the other panels are rendered a moment later.
const TracePanel = lazy(() => import('./trace/trace-panel.tsx').then((module) => ({ default: module.TracePanel })))
const LinkPhoneScreen = lazy(() =>
  import('./link-phone-screen.tsx').then((module) => ({ default: module.LinkPhoneScreen })),
)

const SaveAsMenuTest = lazy(() =>
  import('./save-as-menu-test.tsx').then((module) => ({ default: module.SaveAsMenuTest })),
)

type Props = {
  line: Connection
  lines: Connection[]
  address: PhoneAddress
  setAddress: (change: Partial<PhoneAddress>, replace?: boolean) => void
}

/** Customers, their phone and the journal side by side (design f-sandbox). On a phone these are three steps. */
export function PhoneWorkbench({ line, lines, address, setAddress: go }: Props) {
  const words = useTexts(texts)
  const customers = useSandboxCustomers(line.id)
  const person = customers.data?.find((one) => one.number === address.chat)
  const chat = person?.number
  const inside = useSandboxTrace(line.id, chat)
  useSandboxNews(line.id, chat)
  useOpenFirstCustomer(customers.data, address, go)
  useCreateCustomerFromAddress(line, address, go)
  const [chosenNumber, setChosenNumber] = useState<string>()
  const openChat = (number: string) => {
    setChosenNumber(number)
    go({ line: line.id, chat: number, view: 'chat' })
  }
  const startFresh = useCreateCustomer(line.id, openChat)
  const linking = useIsLinking(line)
  const ticket = findLastTicketId(inside.data)
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <PageHeader title={words.title} line={words.line}>
          {address.queue !== undefined && person && (
            <Suspense fallback={null}>
              <SaveAsMenuTest line={line} chat={person.number} queueId={address.queue} />
            </Suspense>
          )}
          <NewCustomerButton line={line} onCreated={openChat} />
          {ticket !== undefined && <TicketButton id={ticket} />}
        </PageHeader>
      </div>
      <div className={classes.bench} data-view={address.view}>
        <div className={classes.left}>
          <CustomersPanel line={line} query={customers} selectedNumber={chat} onSelect={openChat}>
            <TestLinePanel
              line={line}
              lines={lines}
              onSelectLine={(id) => go({ line: id, chat: undefined, view: 'people' })}
            />
          </CustomersPanel>
        </div>
        <div className={classes.middle}>
          {linking ? (
            <PhoneFrame>
              <Suspense fallback={null}>
                <LinkPhoneScreen line={line} />
              </Suspense>
            </PhoneFrame>
          ) : (
            <PhoneChat
              key={chat ?? ''}
              line={line}
              person={person}
              ticketId={ticket}
              people={customers.data ?? []}
              isVisible={address.view === 'chat'}
              takesFocus={chat === chosenNumber}
              onBack={() => go({ view: 'people' })}
              onShowTrace={() => go({ view: 'inside' })}
              onStartFresh={() => void startFresh()}
            />
          )}
        </div>
        <div className={classes.right}>
          <Suspense fallback={<div className={classes.card} />}>
            <TracePanel line={line} person={person} query={inside} onBack={() => go({ view: 'chat' })} />
          </Suspense>
        </div>
      </div>
    </div>
  )
}

/**
 * Whether the line is being linked: until then nobody can write. A line that only lost its network keeps its customers:
 * their messages wait, as on any phone. Between two shown codes the line is still linking, because a new code is being
 * generated.
 */
function useIsLinking({ status, reason, number }: Connection): boolean {
  const needed =
    status === 'qrcode' || (status === 'DISCONNECTED' && !['network', 'start-failed'].includes(reason)) || !number
  const [linking, setLinking] = useState(needed)
  const next = status === 'CONNECTED' ? false : linking || needed
  if (next !== linking) setLinking(next)
  return next
}

/** Opens the first customer's phone on a large screen; on a small screen the list comes first. */
function useOpenFirstCustomer(
  customers: { number: string }[] | undefined,
  address: PhoneAddress,
  go: Props['setAddress'],
): void {
  const small = useIsPhone()
  const first = customers?.[0]?.number
  const known = customers?.some((one) => one.number === address.chat)
  const open = useEffectEvent(() => go({ chat: first }, true))
  useEffect(() => {
    if (!small && first !== undefined && !known && !address.fresh) open()
  }, [small, first, known, address.fresh])
}

/** Creates a customer without contact or ticket: the quickest way to see a conversation from its start. */
function NewCustomerButton({ line, onCreated }: { line: Connection; onCreated: (number: string) => void }) {
  const words = useTexts(texts)
  const make = useCreateCustomer(line.id, onCreated)
  return (
    <Tooltip label={words.anotherCustomerHelp}>
      <Button
        variant="default"
        leftSection={
          <>
            <IconUserPlus size={17} stroke={1.75} />
            <IconHintText>{currentTexts(hints).customer}</IconHintText>
          </>
        }
        onClick={() => void make()}
      >
        {words.anotherCustomer}
      </Button>
    </Tooltip>
  )
}

function TicketButton({ id }: { id: number }) {
  const words = useTexts(texts)
  const { path } = useTicketPath(id)
  return (
    <Button
      component={Link}
      {...({ to: path } as object)}
      leftSection={
        <>
          <IconExternalLink size={17} stroke={1.75} />
          <IconHintText>Ticket</IconHintText>
        </>
      }
    >
      {words.seeTicket}
    </Button>
  )
}
