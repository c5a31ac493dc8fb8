import { randomInt } from 'node:crypto'
import type { BinaryNode } from 'baileys'
import { notificationStanza } from './account-notifications.ts'
import type { Account } from './accounts.ts'
import { createNode, unixNow } from './nodes.ts'

/** A group that addresses its members by LID. The first member is its creator and admin. */
export class Group {
  readonly jid = `1203630${randomInt(1e10, 1e11)}@g.us`
  subject: string
  readonly members: Account[]
  readonly creation = unixNow()

  constructor(subject: string, members: Account[]) {
    this.subject = subject
    this.members = members
  }

  rename(by: Account, subject: string): void {
    this.subject = subject
    this.#tell(by, this.members, createNode('subject', { subject, s_t: unixNow(), s_o: by.jid('lid') }))
  }

  add(by: Account, member: Account): void {
    this.members.push(member)
    this.#tell(by, this.members, createNode('add', {}, [this.#participant(member)]))
  }

  /** Removes a member. A member who removes themselves leaves the group. */
  remove(by: Account, member: Account): void {
    const membersBefore = [...this.members]
    this.members.splice(this.members.indexOf(member), 1)
    this.#tell(by, membersBefore, createNode('remove', {}, [this.#participant(member)]))
  }

  metadata(): BinaryNode {
    const [creator] = this.members
    const attrs = {
      id: this.jid.split('@')[0],
      subject: this.subject,
      s_t: this.creation,
      s_o: creator?.jid('lid'),
      creation: this.creation,
      creator: creator?.jid('lid'),
      creator_pn: creator?.jid('pn'),
      addressing_mode: 'lid',
    }
    return createNode(
      'group',
      attrs,
      this.members.map((member) => this.#participant(member)),
    )
  }

  #participant(member: Account): BinaryNode {
    const type = member === this.members[0] ? 'superadmin' : undefined
    return createNode('participant', { jid: member.jid('lid'), phone_number: member.jid('pn'), type })
  }

  #tell(by: Account, members: Account[], change: BinaryNode): void {
    const actor = { participant: by.jid('lid'), participant_pn: by.jid('pn'), addressing_mode: 'lid' }
    for (const device of members.flatMap((member) => [...member.linkedDevices.values()]))
      device.deliver(notificationStanza(this.jid, 'w:gp2', [change], { ...actor, notify: by.pushName }))
  }
}
