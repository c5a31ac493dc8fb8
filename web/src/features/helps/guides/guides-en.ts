import type { Guides } from './guide-ids.ts'

export const guides: Guides = {
  'first-line': {
    title: 'Connect your first line',
    about: 'From your WhatsApp to the ticket list in five minutes.',
    steps: [
      'Open Lines and choose New line. Give it a name your team will recognise, such as Sales.',
      "Choose the type. Phone with QR uses a WhatsApp number you already have; the official API is Meta's route and doesn't depend on a phone.",
      'Save. On the phone, open WhatsApp, Linked devices, Link a device, and scan the code.',
      'When the line shows Connected, ask someone to write to you: the message shows up in Tickets, under Waiting.',
    ],
    tip: 'To practise without risking your number, create a line with the Test phone: nothing leaves your server.',
    go: 'Go to Lines',
  },
  'queue-menu': {
    title: 'A queue and its menu',
    about: 'Every customer reaches the people who can help them.',
    steps: [
      'Open Queues and choose New queue. A queue is a team: Sales, Support, Accounts.',
      "Tick the queue's lines and people. Only those people see its waiting tickets.",
      'On the Menu tab, add options with short titles. Each one shows more options, hands over to a person, moves to another queue, or replies and ends.',
      'On the right you see what your customer will see. Type there to try it before you save.',
    ],
    tip: 'Three or four options are enough. Always keep one that leads to a person.',
    go: 'Go to Queues',
  },
  invite: {
    title: 'Invite your team',
    about: 'One account per person, with their queues from day one.',
    steps: [
      'Open Users and choose New user. Enter their name and email.',
      "Leave the password blank: they get an invitation and choose their own. If your server can't send email, copy the link and send it yourself.",
      'Choose the role. Agents reply to customers, supervisors also see their team, admins set everything up.',
      "Tick their queues. Without a queue they won't see waiting tickets.",
    ],
    tip: 'An invitation is valid for seven days. You can resend it from the list of users.',
    go: 'Go to Users',
  },
  'quick-replies': {
    title: 'Quick replies',
    about: 'What you write every day, in two keystrokes.',
    steps: [
      'Open Quick replies and create one with a short shortcut: shipping, hours, payment.',
      "Write the message. {{firstName}} becomes the customer's name and {{ms}} the right greeting for the time of day.",
      'Add a file if it helps: a price list, a map, a photo.',
      'In a ticket, type / and the first letters of the shortcut, then press Enter. You can edit the text before sending it.',
    ],
    tip: 'Replies marked for the whole company are shared with your team; the others are yours alone.',
    go: 'Go to Quick replies',
  },
  hours: {
    title: 'Business hours',
    about: 'What happens when a customer writes and no one is there.',
    steps: [
      'In Settings, Options, choose who sets the hours: the company or each queue.',
      'On the Business hours tab, tick the days and times. A day can have several periods.',
      'Under Holidays, add the days you are closed. For those that repeat, add them once with Every year.',
      'Write the out-of-hours message on the line or the queue. Customers get it once, and their ticket waits.',
    ],
    tip: "Reply goals only count minutes of your business hours: nights don't make you late.",
    go: 'Go to Settings',
  },
  campaigns: {
    title: 'Campaigns without getting banned',
    about: 'WhatsApp bans numbers that suddenly message strangers. Here is how to avoid it.',
    steps: [
      'Only write to people who shared their number and expect to hear from you. Build the list from a spreadsheet or by conditions.',
      'Keep the pace on Protect the number. A new line sends a little at first and more every day.',
      'Write two or three different messages, use {name}, and say who you are. Tell people how to opt out: anyone who replies STOP gets no more.',
      "Check the plan before you start: how many people get it, who won't and why, and when. Send yourself a test.",
      'If many fail or opt out, stop the campaign and review the list.',
    ],
    tip: "For real volume, use the official API with approved templates: you pay per message, but your number isn't at risk.",
    go: 'Go to Campaigns',
  },
  reports: {
    title: 'Read your reports',
    about: "How long customers wait, and when you're short of people.",
    steps: [
      'The Dashboard shows the period you choose. Turn on Compare to see each number next to the previous one.',
      'Click a number to see the tickets behind it. The ? next to each one explains how it is counted.',
      'People needed and people online shows when you were short-staffed. When they write shows which days to reinforce.',
      'Save any card as CSV or PNG, or the page as PDF. Copy the link to share the same view.',
    ],
    tip: "Turn on the weekly email in your profile: it arrives on Mondays with last week's numbers.",
    go: 'Go to the Dashboard',
  },
  moving: {
    title: 'Move from another desk',
    about: 'Bring your contacts, or your whole history from ticketz or Whaticket.',
    steps: [
      "Contacts only: in Contacts choose Import, From a spreadsheet. Check what each column is; rows that won't work are shown before importing.",
      "Your whole history: your server's administrator takes a copy of the old database and uses npm run import with --dry-run to see what would come over.",
      'Without --dry-run you get companies, users with their passwords, queues, menus, contacts, tickets, messages and files. Nothing is sent to anyone.',
      "Connect your lines in Recado and unlink them from the old desk: two programs can't use the same number.",
    ],
    tip: 'On the day you switch, run the import again with --later: it only brings the last few days.',
    go: 'Go to Contacts',
  },
}
