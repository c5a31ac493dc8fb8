import type { api } from './api.ts'

/**
 * The error catalog: code -> HTTP status. Whaticket-compatible clients read 401 and 403 as facts about the session
 * (401 ends it, 403 refreshes it), so refusals by role, plan, tenant or ownership never use them.
 * A missing record is reported with its own code (`ERR_NO_TAG_FOUND`), which is not listed here.
 */
export const errorStatuses = {
  // session
  ERR_SESSION_EXPIRED: 401,
  ERR_TOKEN_EXPIRED: 403,
  ERR_INVALID_CREDENTIALS: 401,
  /** A page of another site called with our cookie. 401, because older clients hang if a token refresh is answered with 403. */
  ERR_FOREIGN_ORIGIN: 401,
  ERR_TOO_MANY_TRIES: 429,
  ERR_RESET_CODE_INVALID: 400,
  ERR_CURRENT_PASSWORD: 400,
  ERR_TWO_FACTOR_REQUIRED: 401,
  ERR_TWO_FACTOR_SETUP: 401,
  ERR_TWO_FACTOR_CODE: 400,
  ERR_TWO_FACTOR_ON: 409,
  ERR_TWO_FACTOR_KEPT: 409,
  ERR_TWO_FACTOR_OWN: 409,
  ERR_PASSKEY: 400,
  // API clients do not read 401 and 403 as session facts, so they get the usual status codes.
  ERR_API_KEY: 401,
  ERR_API_KEY_SCOPE: 403,
  ERR_RATE_LIMIT: 429,
  ERR_IDEMPOTENCY_KEY: 422,
  ERR_IDEMPOTENCY_RUNNING: 409,
  ERR_NOT_ON_WHATSAPP: 404,
  ERR_INVITATION_INVALID: 409,
  // permission, plan, money
  ERR_NO_PERMISSION: 400,
  ERR_NO_SUPER: 400,
  ERR_SUBSCRIPTION_EXPIRED: 402,
  ERR_COMPANY_INACTIVE: 402,
  ERR_PLAN_FEATURE: 402,
  ERR_PLAN_LIMIT_USERS: 402,
  ERR_PLAN_LIMIT_CONNECTIONS: 402,
  ERR_PLAN_LIMIT_QUEUES: 402,
  ERR_PLAN_TOO_SMALL: 409,
  /** The plan has no price in the company's currency. */
  ERR_PLAN_NO_PRICE: 409,
  /** Companies of the plan pay in the currency whose price would be removed. */
  ERR_PLAN_PRICE_IN_USE: 409,
  ERR_NO_INVOICE_FOUND: 404,
  ERR_INVOICE_SETTLED: 409,
  ERR_NO_CHARGE_FOUND: 404,
  ERR_NO_PAYMENT_FOUND: 404,
  ERR_PAYMENT_SETTLED: 409,
  ERR_PAYMENT_SHORT: 409,
  ERR_PAYMENT_NOT_SET: 409,
  /** Pix exists only in reais. */
  ERR_PAYMENT_CURRENCY: 409,
  ERR_PAYMENT_PROVIDER: 502,
  ERR_USER_CREATION_DISABLED: 400,
  // invalid requests
  ERR_VALIDATION: 400,
  ERR_SYNTAX: 400,
  ERR_BODY_TOO_LARGE: 413,
  ERR_FILESIZE_OVER_LIMIT: 413,
  ERR_FILE_TYPE: 415,
  /** The company has used up the file storage of its plan. */
  ERR_STORAGE_FULL: 413,
  /** The last part of the disk is reserved for the database. */
  ERR_DISK_FULL: 503,
  ERR_NOT_FOUND: 404,
  ERR_LINK_EXPIRED: 410,
  ERR_NOT_READY: 503,
  ERR_INTERNAL_SERVER_ERROR: 500,
  // accounts
  ERR_COMPANY_NAME_ALREADY_EXISTS: 409,
  ERR_COMPANY_IS_PLATFORM: 409,
  ERR_PLAN_NAME_ALREADY_EXISTS: 409,
  ERR_PLAN_IN_USE: 409,
  ERR_USER_DONT_EXISTS: 404,
  ERR_EMAIL_ALREADY_EXISTS: 409,
  ERR_LAST_ADMIN: 409,
  ERR_NO_SETTING_FOUND: 404,
  // records
  ERR_LIST_FULL: 409,
  ERR_QUICKMESSAGE_SHORTCODE_EXISTS: 409,
  ERR_FILE_NAME_ALREADY_EXISTS: 409,
  ERR_QUEUE_NOT_FOUND: 404,
  ERR_QUEUE_OPTION_NOT_FOUND: 404,
  ERR_NO_INTEGRATION_FOUND: 404,
  ERR_PROMPT_IN_USE: 409,
  ERR_KNOWLEDGE_FULL: 409,
  ERR_KNOWLEDGE_EMPTY: 400,
  ERR_ASSIST_OFF: 409,
  ERR_ASSIST_SPENT: 409,
  ERR_ASSIST_EMPTY: 409,
  ERR_ASSIST_FAILED: 502,
  ERR_INTEGRATION_IN_USE: 409,
  ERR_INTEGRATION_TEST: 400,
  ERR_WEBHOOK_LIMIT: 409,
  // the desk (spec, section 8)
  ERR_NO_OTHER_WHATSAPP: 400,
  ERR_LINE_MOVE_KIND: 409,
  /** The operator has set no app of Meta. */
  ERR_SIGNUP_OFF: 409,
  /** The signup has expired, was used, or belongs to somebody else. */
  ERR_SIGNUP_STATE: 409,
  /** Meta refused the code or did not answer: a code is never tried twice. */
  ERR_SIGNUP_CODE: 409,
  ERR_SIGNUP_NO_ACCOUNT: 409,
  ERR_SIGNUP_NO_NUMBER: 409,
  ERR_SIGNUP_NUMBER_TAKEN: 409,
  /** Meta did not answer after the exchange of the code: trying again continues. */
  ERR_SIGNUP_META: 502,
  ERR_NO_DEF_WAPP_FOUND: 404,
  ERR_NO_WAPP_FOUND: 404,
  ERR_WAPP_NAME_ALREADY_EXISTS: 409,
  ERR_WAPP_NOT_INITIALIZED: 409,
  ERR_WAPP_NO_CODE: 409,
  ERR_WAPP_NO_HISTORY: 409,
  ERR_WAPP_NO_PASSKEY: 409,
  /** A one-time address for a passkey that was never valid, was used or has expired. */
  ERR_PASSKEY_ADDRESS: 404,
  ERR_WAPP_CHECK_CONTACT: 400,
  ERR_WAPP_INVALID_CONTACT: 400,
  ERR_WAPP_DOWNLOAD_MEDIA: 400,
  ERR_WAPP_GREETING_REQUIRED: 400,
  ERR_SENDING_WAPP_MSG: 400,
  ERR_DELETE_WAPP_MSG: 400,
  ERR_FETCH_WAPP_MSG: 409,
  ERR_EDITING_WAPP_MSG: 409,
  ERR_WAPP_CANNOT: 409,
  ERR_OTHER_OPEN_TICKET: 409,
  ERR_DUPLICATED_CONTACT: 409,
  ERR_CONTACT_CONVERSATIONS: 400,
  /** A group, or a contact with itself, cannot be joined. */
  ERR_CONTACT_JOIN: 409,
  ERR_CONTACT_NUMBER_CONFIRM: 409,
  ERR_NO_TICKET_FOUND: 404,
  ERR_CREATING_MESSAGE: 400,
  ERR_CREATING_TICKET: 400,
  ERR_TICKET_NOT_OPEN: 409,
  /** The ticket's queue requires a reason, or fields, of a person who closes it. */
  ERR_CLOSING_REASON_REQUIRED: 409,
  ERR_CLOSING_FIELDS_REQUIRED: 409,
  ERR_NO_CLOSINGREASON_FOUND: 404,
  ERR_NO_CLOSINGFIELD_FOUND: 404,
  ERR_UNDO_TOO_LATE: 409,
  ERR_OFFER_OVER: 409,
  ERR_TOO_MANY_PINS: 409,
  ERR_NO_TICKETVIEW_FOUND: 404,
  ERR_NO_AD_FOUND: 404,
  /** The user already changes many tickets. */
  ERR_BATCH_RUNNING: 409,
  ERR_NO_TICKETBATCH_FOUND: 404,
  ERR_NO_MACRO_FOUND: 404,
  ERR_NO_MACRORUN_FOUND: 404,
  ERR_MACRO_SHORTCODE_EXISTS: 409,
  ERR_NO_FLOW_FOUND: 404,
  ERR_NO_FLOWRUN_FOUND: 404,
  ERR_NO_FLOWDRYRUN_FOUND: 404,
  ERR_NO_FLOWVERSION_FOUND: 404,
  /** Somebody else has saved the draft meanwhile. */
  ERR_FLOW_CHANGED: 409,
  /** The draft has errors that keep it from being published. */
  ERR_FLOW_INVALID: 409,
  /** The draft refers to something that does not exist. */
  ERR_FLOW_REFERENCE: 404,
  ERR_FLOW_NOT_PUBLISHED: 409,
  /** A question of a flow for a contact who gets no automatic messages. */
  ERR_FLOW_CONTACT_SILENT: 409,
  /** A saved test takes another way through the draft. */
  ERR_FLOW_TEST_FAILED: 409,
  /** The flow is off, or is not started in this way. */
  ERR_FLOW_OFF: 409,
  /** Another flow speaks in the conversation. */
  ERR_FLOW_BUSY: 409,
  /** The conditions or limits of the flow exclude the conversation. */
  ERR_FLOW_EXCLUDED: 409,
  /** No flow has this address. */
  ERR_FLOW_HOOK: 404,
  ERR_NO_FLOWTEST_FOUND: 404,

  /** The time that a step would snooze until has passed. */
  ERR_SNOOZE_TIME_PAST: 409,
  ERR_NO_MESSAGE_FOUND: 404,
  ERR_WINDOW_CLOSED: 409,
  ERR_NO_TEMPLATE_FOUND: 404,
  ERR_TEMPLATE_UNSENDABLE: 400,
  /** The list of templates is not known yet, and Meta does not answer. */
  ERR_TEMPLATES_UNREACHABLE: 503,
  ERR_WEBHOOK_SIGNATURE: 400,
  ERR_NO_TASK_FOUND: 404,
  ERR_NO_TICKETNOTE_FOUND: 404,
  ERR_NO_CHAT_FOUND: 404,
  ERR_NO_CHATMESSAGE_FOUND: 404,
  ERR_QUEUE_COLOR_ALREADY_EXISTS: 409,
  ERR_QUEUE_NAME_ALREADY_EXISTS: 409,
  ERR_SKILL_NAME_ALREADY_EXISTS: 409,
  ERR_SKILL_LANGUAGE_ALREADY_EXISTS: 409,
  ERR_QUEUE_OPTION_CIRCLE: 409,
  ERR_NO_LANE: 409,
  ERR_LANE_CIRCLE: 409,
  ERR_CARD_MOVED: 409,
  ERR_SCHEDULE_SETTLED: 409,
  // campaigns
  ERR_CAMPAIGN_RUNNING: 409,
  ERR_CAMPAIGN_SETTLED: 409,
  ERR_CAMPAIGN_NO_MESSAGE: 409,
  ERR_CAMPAIGN_NO_AUDIENCE: 409,
  ERR_CAMPAIGN_NO_LINE: 409,
  ERR_CAMPAIGN_PLAN_CHANGED: 409,
  ERR_CAMPAIGN_NEEDS_TEMPLATE: 409,
  ERR_CONTACTLIST_IN_USE: 409,
  ERR_FILELIST_IN_USE: 409,
  ERR_CONTACTLIST_IS_QUESTION: 409,
  ERR_IMPORT_RUNNING: 409,
  ERR_NO_LISTIMPORT_FOUND: 404,
  ERR_NO_CONTACTERASURE_FOUND: 404,
  ERR_NO_DELETEDCONTACT_FOUND: 404,
} as const

type Sections = typeof api
/** The "not found" code of each record: endpoint.ts derives it from the entity's name. */
export type RecordNotFoundCode = Exclude<
  {
    [S in keyof Sections]: Sections[S] extends { record: { missing: infer Code extends string } } ? Code : never
  }[keyof Sections],
  ListedErrorCode
>
export type ListedErrorCode = keyof typeof errorStatuses
/** Codes only for API clients: only the page that tries API calls translates them. */
export type ApiClientErrorCode =
  | 'ERR_API_KEY'
  | 'ERR_API_KEY_SCOPE'
  | 'ERR_RATE_LIMIT'
  | 'ERR_IDEMPOTENCY_KEY'
  | 'ERR_IDEMPOTENCY_RUNNING'
  | 'ERR_NOT_ON_WHATSAPP'
export type ErrorCode = ListedErrorCode | RecordNotFoundCode

const isListedErrorCode = (code: string): code is ListedErrorCode => Object.hasOwn(errorStatuses, code)
export const httpStatusOf = (code: ErrorCode): number => (isListedErrorCode(code) ? errorStatuses[code] : 404)

/**
 * Every error reply. `fields` names the invalid inputs, each with a form message of spec section 5, or one of our own
 * messages: `Too Common!`, `Too Personal!`, `Hidden Characters!`, `In the past` and `Not https`.
 */
export type ErrorReply = { error: ErrorCode; fields?: Record<string, FieldProblem> }
export const fieldProblems = [
  'Required',
  'Too Short!',
  'Too Long!',
  'Too Common!',
  'Too Personal!',
  'Hidden Characters!',
  'In the past',
  'Invalid email',
  'Not https',
  'Invalid',
] as const
export type FieldProblem = (typeof fieldProblems)[number]
