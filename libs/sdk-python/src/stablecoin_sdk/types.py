# Written by npm run docs (apps/workspace/src/sdk-generator/python-sdk.ts), from docs/openapi.json.
"""What is sent and answered. A success's ``data`` is handed back as it came: a dict with these keys."""

from typing import Literal, NotRequired, TypeAlias, TypedDict

from ._wire import Amount

__all__ = [
    "AccountPurpose",
    "Approval",
    "ApprovalAbove",
    "Asset",
    "AssetNetwork",
    "AssetType",
    "BankPayoutMethod",
    "BankPayoutMethodParams",
    "BankPayoutParams",
    "BusinessCustomer",
    "BusinessCustomerParams",
    "BusinessCustomerPersonalInfo",
    "BusinessCustomerUpdateParams",
    "BusinessDetails",
    "BusinessInfo",
    "BusinessOwnerParams",
    "ChangedBusinessCustomer",
    "ChangedBusinessCustomerFinancialInfo",
    "ChangedIndividualCustomer",
    "Checkpoint",
    "ConsistencyProof",
    "Currency",
    "Customer",
    "CustomerAddress",
    "CustomerClosedEvent",
    "CustomerClosedEventWithDeliveries",
    "CustomerCreatedEvent",
    "CustomerCreatedEventWithDeliveries",
    "CustomerRegisteredAddress",
    "CustomerStatus",
    "CustomerTransaction",
    "CustomerType",
    "CustomerUpdatedEvent",
    "CustomerUpdatedEventWithDeliveries",
    "DeliveryError",
    "DepositAddress",
    "DepositCompletedEvent",
    "DepositCompletedEventWithDeliveries",
    "DepositFailedEvent",
    "DepositFailedEventWithDeliveries",
    "DepositPendingEvent",
    "DepositPendingEventWithDeliveries",
    "DepositReversedEvent",
    "DepositReversedEventWithDeliveries",
    "Document",
    "DocumentUpload",
    "EmploymentStatus",
    "Event",
    "EventApproval",
    "EventCustomer",
    "EventDelivery",
    "EventSwap",
    "EventTest",
    "EventTransaction",
    "EventType",
    "EventWithDeliveries",
    "ExecutedSwap",
    "ExplainedEvent",
    "ExplainedEventMovement",
    "FiatCurrency",
    "FieldError",
    "FieldErrorCode",
    "FinancialDetails",
    "IndividualCustomer",
    "IndividualCustomerParams",
    "IndividualCustomerUpdateParams",
    "IndividualFinances",
    "KycStatus",
    "LiabilityNode",
    "LiabilityProof",
    "Network",
    "NewWebhook",
    "NoPerson",
    "Occupation",
    "OpenedDepositAddress",
    "OpenedWallet",
    "Pagination",
    "PastBalance",
    "Payout",
    "PayoutApprovalParams",
    "PayoutApprovalRequiredEvent",
    "PayoutApprovalRequiredEventWithDeliveries",
    "PayoutCompletedEvent",
    "PayoutCompletedEventWithDeliveries",
    "PayoutDryRun",
    "PayoutFailedEvent",
    "PayoutFailedEventWithDeliveries",
    "PayoutMethod",
    "PayoutMethodDeleteParams",
    "PayoutMethodPagination",
    "PayoutPolicy",
    "PayoutReversedEvent",
    "PayoutReversedEventWithDeliveries",
    "PersonalDetails",
    "PersonalFields",
    "PolicyApproval",
    "PolicyLimit",
    "PrintedAddress",
    "PrintedBusinessFinances",
    "Proof",
    "ProvenEvent",
    "ProvenEventBalance",
    "Quote",
    "QuoteOwner",
    "QuoteParams",
    "QuoteRefreshParams",
    "RegisteredAddress",
    "RotatedWebhook",
    "SandboxDepositParams",
    "SourceOfFunds",
    "StatusStep",
    "SwapCompletedEvent",
    "SwapCompletedEventWithDeliveries",
    "SwapDryRun",
    "SwapParams",
    "SwapTransaction",
    "SwapTransactionDryRun",
    "Transaction",
    "TransactionExplanation",
    "TransactionMode",
    "TransactionStatus",
    "TransactionType",
    "ValidationError",
    "Wallet",
    "WalletParams",
    "WalletPayoutMethod",
    "WalletPayoutMethodParams",
    "WalletPayoutParams",
    "Webhook",
    "WebhookEventType",
    "WebhookParams",
    "WebhookStatus",
    "WebhookTest",
    "WebhookTestEvent",
    "WebhookTestEventWithDeliveries",
    "WebhookUpdateParams",
]


AccountPurpose: TypeAlias = Literal[
    "CHARITABLE_DONATIONS",
    "ECOMMERCE_RETAIL_PAYMENTS",
    "INVESTMENT_PURPOSES",
    "PAYMENTS_TO_FRIENDS_OR_FAMILY_ABROAD",
    "OTHER",
    "PAYROLL",
    "PERSONAL_OR_LIVING_EXPENSES",
    "PROTECT_WEALTH",
    "PURCHASE_GOODS_AND_SERVICES",
    "RECEIVE_PAYMENT_FOR_FREELANCING",
    "RECEIVE_SALARY",
    "TAX_OPTIMIZATION",
    "THIRD_PARTY_MONEY_TRANSMISSION",
    "TREASURY_MANAGEMENT",
]


class Approval(TypedDict):
    api_key_id: str
    """The key that approved it, by its id."""
    approved_at: str
    """When it was approved."""


Currency: TypeAlias = Literal["USDC", "USDT", "USD", "NGN", "GBP", "EUR", "CAD"]


class ApprovalAbove(TypedDict):
    currency: Currency
    """The currency."""
    amount: str
    """The amount: 8 decimals."""


AssetType: TypeAlias = Literal["FIAT", "STABLECOIN"]


class AssetNetwork(TypedDict):
    id: str
    """Identifies the resource."""
    network: Literal["Erc20", "Bep20", "Solana", "Trc20", "Polygon"]
    """Name of the network, capitalised."""
    created_at: str
    """When it was created."""


class Asset(TypedDict):
    id: str
    """Identifies the resource."""
    asset_type: AssetType
    """Whether it is national currency or a stablecoin."""
    code: Currency
    """The currency code."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    networks: list[AssetNetwork] | None
    """Networks on which the stablecoin can be deposited; null for fiat."""


class BankPayoutMethod(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["BANK"]
    """What kind of method it is."""
    currency: Currency
    """The currency."""
    account_name: str | None
    """Name on the account."""
    account_number: str
    """Number of the bank account."""
    bank_name: str | None
    """Name of the bank."""
    bank_code: str | None
    """Code of the bank."""
    sort_code: str | None
    """Sort code."""
    swift_code: str | None
    """SWIFT code (BIC)."""
    routing_number: str | None
    """Routing number."""
    iban: str | None
    """IBAN."""
    customer_id: str | None
    """The customer that it belongs to or concerns; null or left out: the merchant itself."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class BankPayoutMethodParams(TypedDict):
    type: NotRequired[Literal["BANK"]]
    """What kind of method it is."""
    account_number: str
    """Number of the bank account."""
    account_name: NotRequired[str | None]
    """Name on the account."""
    bank_name: NotRequired[str | None]
    """Name of the bank."""
    bank_code: str
    """Code of the bank."""
    sort_code: NotRequired[str | None]
    """Sort code."""
    swift_code: NotRequired[str | None]
    """SWIFT code (BIC)."""
    routing_number: NotRequired[str | None]
    """Routing number."""
    iban: NotRequired[str | None]
    """IBAN."""
    currency: Currency
    """The currency. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case."""
    customer_id: NotRequired[str | None]
    """The customer that it belongs to or concerns; null or left out: the merchant itself."""


FiatCurrency: TypeAlias = Literal["USD", "NGN", "GBP", "EUR", "CAD"]


class BankPayoutParams(TypedDict):
    customer_id: NotRequired[str | None]
    """The customer that it belongs to or concerns; null or left out: the merchant itself."""
    currency: Currency
    """The currency. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case."""
    account_number: str
    """Number of the bank account."""
    bank_name: NotRequired[str | None]
    """Name of the bank."""
    bank_code: str
    """Code of the bank."""
    amount: Amount
    """An amount as decimal text, positive, at most 8 decimals."""
    recipient_name: str
    """Who is paid."""
    recipient_currency: NotRequired[FiatCurrency | None]
    """Currency of the account that is paid; left out, that of the payout if fiat, else USD. One of USD, NGN, GBP, EUR,
    CAD, in any case.
    """
    recipient_country: NotRequired[str | None]
    """Country of the account that is paid."""
    dry_run: NotRequired[bool | None]
    """True: nothing is written and no Idempotency-Key is used; the answer is the one that the request would get now."""


CustomerStatus: TypeAlias = Literal["active", "closed"]


KycStatus: TypeAlias = Literal["not_started", "under_review", "approved", "rejected"]


class BusinessDetails(TypedDict):
    business_name: str
    """Registered name."""
    business_type: str | None
    """Legal form."""
    business_website: str | None
    """Web site."""


class CustomerAddress(TypedDict):
    line_1: str
    """First line of the street address."""
    line_2: str | None
    """Second line of the street address."""
    city: str
    """City or town."""
    state: str
    """State, province or region."""
    postal_code: str | None
    """Postal code."""
    country: str
    """English name of the country."""


class FinancialDetails(TypedDict):
    account_purpose: str | None
    """What the account is for."""
    expected_monthly_income: str | None
    """Expected income in a month, in local currency: zero or more, at most 2 decimals."""
    source_of_funds: str | None
    """Where the money comes from."""
    employment_status: str | None
    """How the person earns a living."""
    most_recent_occupation: str | None
    """Latest occupation: an SOC code, printed as its title."""


class BusinessCustomerPersonalInfo(TypedDict):
    first_name: None
    """Given name."""
    middle_name: None
    """Middle name."""
    last_name: None
    """Family name."""
    birth_date: None
    """Date of birth; at least 18 years ago."""


class BusinessCustomer(TypedDict):
    id: str
    """Identifies the resource."""
    email: str
    """E-mail address, unique among your customers; compared in lower case."""
    phone: str
    """Phone number with + and calling code, unique among your customers."""
    status: CustomerStatus
    """In which state it is."""
    kyc_status: KycStatus
    """How far the compliance review has come; payouts need approved."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    customer_type: Literal["business"]
    """Whether the customer is a person or a business."""
    business_info: BusinessDetails
    """What the business is."""
    address: CustomerAddress | None
    """The registered address, with the name of the country."""
    financial_info: FinancialDetails
    """Income and purpose, in readable text."""
    personal_info: BusinessCustomerPersonalInfo
    """Who the person is; all null for a business."""


class RegisteredAddress(TypedDict):
    street1: str
    """First line of the street address."""
    street2: NotRequired[str | None]
    """Second line of the street address."""
    city: str
    """City or town."""
    state: str
    """State, province or region."""
    postal_code: NotRequired[str | None]
    """Postal code."""
    country: str
    """Two-letter country code (ISO 3166-1)."""


class DocumentUpload(TypedDict):
    doc_type: str
    """What the document is: valid_ids, utility_bill, BANK_STATEMENT, PROOF_OF_ADDRESS, OTHER."""
    sub_type: NotRequired[str | None]
    """Which part of it."""
    doc_image: NotRequired[str]
    """The document itself; or `document_id` in its place. A base64 data URI (PNG, JPEG or PDF, at most 5 MiB), or an
    https URL
    """
    document_id: NotRequired[str | None]
    """A document that was sent by itself, less than a day ago, and that no customer has yet."""
    doc_country: NotRequired[str | None]
    """Country that issued it, two letters."""


class BusinessOwnerParams(TypedDict):
    supporting_documents: NotRequired[list[DocumentUpload] | None]
    """Documents about the owner."""
    first_name: str
    """Given name."""
    last_name: str
    """Family name."""
    email: NotRequired[str | None]
    """E-mail address, unique among your customers; compared in lower case."""
    phone_number: NotRequired[str | None]
    """Phone number with + and calling code."""
    date_of_birth: NotRequired[str | None]
    """Date of birth."""
    relationship_establishment_date: NotRequired[str | None]
    """Since when the owner is one."""
    ownership_percentage: NotRequired[float | None]
    """Share in percent."""
    is_control_person: NotRequired[bool | None]
    """Whether the person controls the business."""
    is_signer: NotRequired[bool | None]
    """Whether the person signs for the business."""
    is_beneficial_owner: NotRequired[bool | None]
    """Whether the person is a beneficial owner."""
    title: NotRequired[str | None]
    """Position in the business."""
    address: NotRequired[RegisteredAddress | None]
    """Where the owner lives."""
    id_number: NotRequired[str | None]
    """Number of an identity document; kept encrypted, never printed."""
    nationality: NotRequired[str | None]
    """Nationality, two-letter country code."""
    front_image: NotRequired[str | None]
    """Link to the front of an identity document; kept, never fetched."""
    back_image: NotRequired[str | None]
    """Link to its back."""


class BusinessCustomerParams(TypedDict):
    business_name: str
    """Registered name."""
    email: str
    """E-mail address, unique among your customers; compared in lower case."""
    phone: str
    """Phone number with + and calling code, unique among your customers."""
    customer_type: NotRequired[Literal["business"]]
    """Whether the customer is a person or a business."""
    business_type: NotRequired[str | None]
    """Legal form."""
    business_website: NotRequired[str | None]
    """Web site."""
    phone_country_code: NotRequired[str | None]
    """Calling code of the phone number."""
    account_purpose: NotRequired[str | None]
    """What the account is for."""
    account_purpose_explanation: NotRequired[str | None]
    """The same in your own words; line feeds and tabs allowed."""
    source_of_funds: NotRequired[str | None]
    """Where the money comes from."""
    expected_monthly_income: NotRequired[Amount | None]
    """Expected income in a month, in local currency: zero or more, at most 2 decimals."""
    expected_monthly_payments_usd: NotRequired[Amount | None]
    """Expected payments in a month, in US dollars."""
    estimated_annual_revenue_usd: NotRequired[str | None]
    """Revenue in a year, in US dollars, as a range."""
    industry: NotRequired[str | None]
    """Six-digit industry code."""
    registered_address: NotRequired[RegisteredAddress | None]
    """The registered address."""
    trading_name: NotRequired[str | None]
    """Name under which the business trades."""
    nature_of_business: NotRequired[str | None]
    """What the business does; line feeds and tabs allowed."""
    contact_person_email: NotRequired[str | None]
    """E-mail address of whom to ask."""
    contact_person_phone: NotRequired[str | None]
    """Phone number of whom to ask."""
    operates_in_prohibited_countries: NotRequired[bool | None]
    """Whether it does business in prohibited countries."""
    is_dao: NotRequired[bool | None]
    """Whether it is a decentralised autonomous organisation."""
    conducts_money_services: NotRequired[bool | None]
    """Whether it moves money for others."""
    registration_number: NotRequired[str | None]
    """Number in the companies register."""
    registration_date: NotRequired[str | None]
    """Day of registration."""
    tax_identification_number: NotRequired[str | None]
    """Tax number; kept encrypted, never printed."""
    documents: NotRequired[list[DocumentUpload] | None]
    """KYC documents to attach."""
    user_documents: NotRequired[list[DocumentUpload] | None]
    """Another name of documents; not together with it."""
    business_owners: NotRequired[list[BusinessOwnerParams] | None]
    """The persons who own or run the business."""


class PrintedAddress(TypedDict):
    line_1: str
    """First line of the street address."""
    line_2: NotRequired[str | None]
    """Second line of the street address."""
    city: str
    """City or town."""
    state: str
    """State, province or region."""
    postal_code: NotRequired[str | None]
    """Postal code."""
    country: str
    """English name of the country, or its two-letter code."""


class NoPerson(TypedDict):
    first_name: NotRequired[None]
    """Given name."""
    middle_name: NotRequired[None]
    """Middle name."""
    last_name: NotRequired[None]
    """Family name."""
    birth_date: NotRequired[None]
    """Date of birth; at least 18 years ago."""


class PrintedBusinessFinances(TypedDict):
    employment_status: NotRequired[None]
    """How the person earns a living."""
    most_recent_occupation: NotRequired[None]
    """Latest occupation: an SOC code, printed as its title."""
    account_purpose: NotRequired[str | None]
    """What the account is for."""
    expected_monthly_income: NotRequired[Amount | None]
    """Expected income in a month, in local currency: zero or more, at most 2 decimals."""
    source_of_funds: NotRequired[str | None]
    """Where the money comes from."""


class BusinessInfo(TypedDict):
    business_name: NotRequired[str]
    """Registered name."""
    business_type: NotRequired[str | None]
    """Legal form."""
    business_website: NotRequired[str | None]
    """Web site."""


class BusinessCustomerUpdateParams(TypedDict):
    address: NotRequired[PrintedAddress | RegisteredAddress | None]
    """The address as look-ups print it, in place of registered_address."""
    personal_info: NotRequired[NoPerson | None]
    """As look-ups print it for a business: nothing but nulls."""
    financial_info: NotRequired[PrintedBusinessFinances | None]
    """As look-ups print it; its fields may be sent at top level instead."""
    business_info: NotRequired[BusinessInfo | None]
    """As look-ups print it; its fields may be sent at top level instead."""
    email: NotRequired[str]
    """E-mail address, unique among your customers; compared in lower case."""
    phone: NotRequired[str]
    """Phone number with + and calling code, unique among your customers."""
    customer_type: NotRequired[Literal["business"]]
    """Whether the customer is a person or a business."""
    phone_country_code: NotRequired[str | None]
    """Calling code of the phone number."""
    account_purpose_explanation: NotRequired[str | None]
    """The same in your own words; line feeds and tabs allowed."""
    expected_monthly_payments_usd: NotRequired[Amount | None]
    """Expected payments in a month, in US dollars."""
    estimated_annual_revenue_usd: NotRequired[str | None]
    """Revenue in a year, in US dollars, as a range."""
    industry: NotRequired[str | None]
    """Six-digit industry code."""
    registered_address: NotRequired[RegisteredAddress | None]
    """The registered address."""
    trading_name: NotRequired[str | None]
    """Name under which the business trades."""
    nature_of_business: NotRequired[str | None]
    """What the business does; line feeds and tabs allowed."""
    contact_person_email: NotRequired[str | None]
    """E-mail address of whom to ask."""
    contact_person_phone: NotRequired[str | None]
    """Phone number of whom to ask."""
    operates_in_prohibited_countries: NotRequired[bool | None]
    """Whether it does business in prohibited countries."""
    is_dao: NotRequired[bool | None]
    """Whether it is a decentralised autonomous organisation."""
    conducts_money_services: NotRequired[bool | None]
    """Whether it moves money for others."""
    registration_number: NotRequired[str | None]
    """Number in the companies register."""
    registration_date: NotRequired[str | None]
    """Day of registration."""
    tax_identification_number: NotRequired[str | None]
    """Tax number; kept encrypted, never printed."""
    account_purpose: NotRequired[str | None]
    """What the account is for."""
    expected_monthly_income: NotRequired[Amount | None]
    """Expected income in a month, in local currency: zero or more, at most 2 decimals."""
    source_of_funds: NotRequired[str | None]
    """Where the money comes from."""
    business_name: NotRequired[str]
    """Registered name."""
    business_type: NotRequired[str | None]
    """Legal form."""
    business_website: NotRequired[str | None]
    """Web site."""
    documents: NotRequired[list[DocumentUpload] | None]
    """KYC documents to attach."""
    user_documents: NotRequired[list[DocumentUpload] | None]
    """Another name of documents; not together with it."""
    business_owners: NotRequired[list[BusinessOwnerParams] | None]
    """The persons who own or run the business."""
    id: NotRequired[object]
    """Printed by look-ups; taken back and left alone. Taken and left alone"""
    status: NotRequired[object]
    """In which state it is. Taken and left alone"""
    kyc_status: NotRequired[object]
    """How far the compliance review has come; payouts need approved. Taken and left alone"""
    created_at: NotRequired[object]
    """When it was created. Taken and left alone"""
    updated_at: NotRequired[object]
    """When it was last changed. Taken and left alone"""


class CustomerRegisteredAddress(TypedDict):
    street1: str
    """First line of the street address."""
    street2: str | None
    """Second line of the street address."""
    city: str
    """City or town."""
    state: str
    """State, province or region."""
    postal_code: str | None
    """Postal code."""
    country: str
    """Two-letter country code (ISO 3166-1)."""


class ChangedBusinessCustomerFinancialInfo(TypedDict):
    account_purpose: str | None
    """What the account is for."""
    expected_monthly_income: str | None
    """Expected income in a month, in local currency: zero or more, at most 2 decimals."""
    source_of_funds: str | None
    """Where the money comes from."""


class ChangedBusinessCustomer(TypedDict):
    id: str
    """Identifies the resource."""
    email: str
    """E-mail address, unique among your customers; compared in lower case."""
    phone: str
    """Phone number with + and calling code, unique among your customers."""
    status: CustomerStatus
    """In which state it is."""
    kyc_status: KycStatus
    """How far the compliance review has come; payouts need approved."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    customer_type: Literal["business"]
    """Whether the customer is a person or a business."""
    business_info: BusinessDetails
    """What the business is."""
    address: CustomerRegisteredAddress | None
    """The registered address, in the shape of the request."""
    financial_info: ChangedBusinessCustomerFinancialInfo
    """Income and purpose, in readable text."""


class PersonalDetails(TypedDict):
    first_name: str
    """Given name."""
    middle_name: str | None
    """Middle name."""
    last_name: str
    """Family name."""
    birth_date: str
    """Date of birth, as midnight UTC."""


class ChangedIndividualCustomer(TypedDict):
    id: str
    """Identifies the resource."""
    email: str
    """E-mail address, unique among your customers; compared in lower case."""
    phone: str
    """Phone number with + and calling code, unique among your customers."""
    status: CustomerStatus
    """In which state it is."""
    kyc_status: KycStatus
    """How far the compliance review has come; payouts need approved."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    customer_type: Literal["individual"]
    """Whether the customer is a person or a business."""
    personal_info: PersonalDetails
    """Who the person is; all null for a business."""
    address: CustomerRegisteredAddress | None
    """The registered address, in the shape of the request."""
    financial_info: FinancialDetails
    """Income and purpose, in readable text."""


class Checkpoint(TypedDict):
    origin: str
    """Names the log that the checkpoint speaks of."""
    size: int
    """How many events the checkpoint covers: the position of the last one."""
    root: str
    """Root of the Merkle tree (RFC 6962) over the events, in base64."""
    created_at: str
    """When it was signed."""
    key_id: str
    """Names the key that signed it."""
    public_key: str
    """The key that verifies it (Ed25519), 32 bytes in base64."""
    verifier_key: str
    """The same key as tools for signed notes take it."""
    checkpoint: str
    """The signed checkpoint (c2sp.org/tlog-checkpoint), line feeds included."""


class ConsistencyProof(TypedDict):
    format: Literal["stablecoin-ledger-consistency/1"]
    """What kind of document this is, and its version."""
    old: str
    """The older signed checkpoint."""
    new: str
    """The newer signed checkpoint."""
    path: list[str]
    """The hashes beside the way to the root, the nearest first."""


class IndividualCustomer(TypedDict):
    id: str
    """Identifies the resource."""
    email: str
    """E-mail address, unique among your customers; compared in lower case."""
    phone: str
    """Phone number with + and calling code, unique among your customers."""
    status: CustomerStatus
    """In which state it is."""
    kyc_status: KycStatus
    """How far the compliance review has come; payouts need approved."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    customer_type: Literal["individual"]
    """Whether the customer is a person or a business."""
    personal_info: PersonalDetails
    """Who the person is; all null for a business."""
    address: CustomerAddress | None
    """The registered address, with the name of the country."""
    financial_info: FinancialDetails
    """Income and purpose, in readable text."""


Customer: TypeAlias = IndividualCustomer | BusinessCustomer


CustomerType: TypeAlias = Literal["individual", "business"]


class EventCustomer(TypedDict):
    id: str
    """Identifies the resource."""
    customer_type: CustomerType
    """Whether the customer is a person or a business."""
    status: CustomerStatus
    """In which state it is."""
    kyc_status: KycStatus
    """How far the compliance review has come; payouts need approved."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class CustomerClosedEvent(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["customer.closed"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventCustomer
    """The resource as it was then: ids, states and amounts, never personal data."""


DeliveryError: TypeAlias = Literal[
    "refused_by_receiver",
    "timeout",
    "connection_failed",
    "host_not_found",
    "private_address",
    "webhook_disabled",
    "webhook_deleted",
]


class EventDelivery(TypedDict):
    webhook_id: str
    """The webhook."""
    url: str
    """Where events are sent: https, or with a test key http on this machine."""
    status: Literal["pending", "delivered", "failed"]
    """pending until it was taken with a 2xx, or given up."""
    attempts: int
    """How many attempts there were, of at most ten."""
    last_attempt_at: str | None
    """When the last attempt was made."""
    next_attempt_at: str | None
    """When the next one is due."""
    response_status: int | None
    """The HTTP status of the last answer."""
    error: DeliveryError | None
    """Why the last attempt was not a success."""


class CustomerClosedEventWithDeliveries(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["customer.closed"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventCustomer
    """The resource as it was then: ids, states and amounts, never personal data."""
    deliveries: list[EventDelivery]
    """How the event fared at each webhook, oldest webhook first."""


class CustomerCreatedEvent(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["customer.created"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventCustomer
    """The resource as it was then: ids, states and amounts, never personal data."""


class CustomerCreatedEventWithDeliveries(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["customer.created"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventCustomer
    """The resource as it was then: ids, states and amounts, never personal data."""
    deliveries: list[EventDelivery]
    """How the event fared at each webhook, oldest webhook first."""


TransactionStatus: TypeAlias = Literal["PENDING", "COMPLETED", "REVERSED", "FAILED"]


Network: TypeAlias = Literal["erc20", "bep20", "solana", "trc20", "polygon"]


TransactionType: TypeAlias = Literal["DEPOSIT", "PAYOUT", "INTERNAL TRANSFER"]


TransactionMode: TypeAlias = Literal["CREDIT", "DEBIT"]


class CustomerTransaction(TypedDict):
    id: str
    """Identifies the resource."""
    merchant_id: str
    """The merchant."""
    sender_wallet_id: str | None
    """The wallet that the money leaves; null when it comes from outside."""
    receiver_wallet_id: str | None
    """The wallet that the money reaches; null when it goes outside."""
    transaction_id: str
    """Short identifier of the transaction."""
    asset_code: Currency
    """The currency."""
    amount: str
    """The amount: 8 decimals."""
    reference_id: str
    """Groups related transactions; for a swap its swapId."""
    status: TransactionStatus
    """In which state it is."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    crypto_transaction_id: str | None
    """The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed:
    it can be replaced by one with a higher fee, and the one that was mined stays.
    """
    network: Network | None
    """The blockchain network, in lower case."""
    transaction_type: TransactionType
    """What kind of movement it is."""
    transaction_mode: TransactionMode
    """Whether the wallet gains or gives."""
    exchange_rate: str | None
    """The price at which the amount was exchanged or valued."""
    withdrawal_recipient_name: str | None
    """Who is paid."""
    fee: str | None
    """What the payout cost on top of the amount; null: nothing."""
    balance: str
    """The balance of the wallet right after the latest event of the transaction."""
    reason: str | None
    """For payouts, where the money goes."""
    customer_id: str | None
    """The customer that it belongs to or concerns; null or left out: the merchant itself."""
    recipient_currency: Currency | None
    """Currency of the account that is paid; left out, that of the payout if fiat, else USD."""
    recipient_country: str | None
    """Country of the account that is paid."""
    bank_name: str | None
    """Name of the bank."""
    bank_code: str | None
    """Code of the bank."""
    bank_account: str | None
    """Number of the account that is paid."""
    address: str | None
    """The address that is paid."""
    explorer_url: str | None
    """Where people look at that transaction; null for one that is on no chain."""
    confirmations: int | None
    """Of a PENDING deposit on an EVM network that is looked up by itself: the block that it is in, and those after it.
    Else null, and while the chain is not known.
    """
    confirmations_required: int | None
    """With how many of them it is credited; null where that is when its network calls the block final."""
    waiting_for: Literal["approval", "cooling_off", "screening"] | None
    """Why a PENDING payout is not sent yet: `approval`, until enough other keys have approved it; `cooling_off`, until
    its destination has been known for long enough; `screening`, while its recipient is under review, told where it is
    looked up by itself. Else null.
    """
    send_after: str | None
    """Before then the payout is not sent; null where nothing has to be waited for."""
    approval_hash: str | None
    """Stands for exactly what the payout sends: an approver sends it with the approval. Null for a payout that needs
    none.
    """
    approvals_required: int | None
    """How many keys must approve it; null for a payout that needs none."""
    approvals: list[Approval] | None
    """The approvals that are there; null for a payout that needs none."""
    approval_expires_at: str | None
    """If it is not approved by then, it fails and its money goes back; null for a payout that needs none."""


class CustomerUpdatedEvent(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["customer.updated"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventCustomer
    """The resource as it was then: ids, states and amounts, never personal data."""


class CustomerUpdatedEventWithDeliveries(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["customer.updated"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventCustomer
    """The resource as it was then: ids, states and amounts, never personal data."""
    deliveries: list[EventDelivery]
    """How the event fared at each webhook, oldest webhook first."""


class DepositAddress(TypedDict):
    id: str
    """Identifies the resource."""
    address: str
    """The deposit address."""
    network: Network
    """The blockchain network, in lower case."""
    created_at: str
    """When it was created."""


class EventTransaction(TypedDict):
    id: str
    """Identifies the resource."""
    transaction_id: str
    """Short identifier of the transaction."""
    reference_id: str
    """Groups related transactions; for a swap its swapId."""
    customer_id: str | None
    """The customer that it belongs to or concerns; null or left out: the merchant itself."""
    sender_wallet_id: str | None
    """The wallet that the money leaves; null when it comes from outside."""
    receiver_wallet_id: str | None
    """The wallet that the money reaches; null when it goes outside."""
    transaction_type: TransactionType
    """What kind of movement it is."""
    transaction_mode: TransactionMode
    """Whether the wallet gains or gives."""
    asset_code: Currency
    """The currency."""
    amount: str
    """The amount: 8 decimals."""
    status: TransactionStatus
    """In which state it is."""
    network: Network | None
    """The blockchain network, in lower case."""
    crypto_transaction_id: str | None
    """The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed:
    it can be replaced by one with a higher fee, and the one that was mined stays.
    """
    updated_at: str
    """When it was last changed."""


class DepositCompletedEvent(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["deposit.completed"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventTransaction
    """The resource as it was then: ids, states and amounts, never personal data."""


class DepositCompletedEventWithDeliveries(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["deposit.completed"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventTransaction
    """The resource as it was then: ids, states and amounts, never personal data."""
    deliveries: list[EventDelivery]
    """How the event fared at each webhook, oldest webhook first."""


class DepositFailedEvent(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["deposit.failed"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventTransaction
    """The resource as it was then: ids, states and amounts, never personal data."""


class DepositFailedEventWithDeliveries(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["deposit.failed"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventTransaction
    """The resource as it was then: ids, states and amounts, never personal data."""
    deliveries: list[EventDelivery]
    """How the event fared at each webhook, oldest webhook first."""


class DepositPendingEvent(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["deposit.pending"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventTransaction
    """The resource as it was then: ids, states and amounts, never personal data."""


class DepositPendingEventWithDeliveries(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["deposit.pending"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventTransaction
    """The resource as it was then: ids, states and amounts, never personal data."""
    deliveries: list[EventDelivery]
    """How the event fared at each webhook, oldest webhook first."""


class DepositReversedEvent(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["deposit.reversed"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventTransaction
    """The resource as it was then: ids, states and amounts, never personal data."""


class DepositReversedEventWithDeliveries(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["deposit.reversed"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventTransaction
    """The resource as it was then: ids, states and amounts, never personal data."""
    deliveries: list[EventDelivery]
    """How the event fared at each webhook, oldest webhook first."""


class Document(TypedDict):
    document_id: str
    """Names the document in the body of a customer, once, within a day."""
    sha256: str
    """Digest of the document."""
    bytes: int
    """How large it is."""
    media_type: Literal["image/png", "image/jpeg", "application/pdf"]
    """What it is, by its first bytes."""
    created_at: str
    """When it was created."""


EmploymentStatus: TypeAlias = Literal["EMPLOYED", "SELF_EMPLOYED", "UNEMPLOYED", "STUDENT", "RETIRED", "OTHER"]


class EventSwap(TypedDict):
    swapId: str
    """The swap: the id of its quote, and the reference_id of both transactions."""
    debitTransaction: EventTransaction
    """What leaves the wallet in from_currency."""
    creditTransaction: EventTransaction
    """What arrives in the wallet in to_currency."""


class SwapCompletedEvent(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["swap.completed"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventSwap
    """The resource as it was then: ids, states and amounts, never personal data."""


class EventApproval(TypedDict):
    id: str
    """Identifies the resource."""
    transaction_id: str
    """Short identifier of the transaction."""
    reference_id: str
    """Groups related transactions; for a swap its swapId."""
    customer_id: str | None
    """The customer that it belongs to or concerns; null or left out: the merchant itself."""
    sender_wallet_id: str | None
    """The wallet that the money leaves; null when it comes from outside."""
    receiver_wallet_id: str | None
    """The wallet that the money reaches; null when it goes outside."""
    transaction_type: TransactionType
    """What kind of movement it is."""
    transaction_mode: TransactionMode
    """Whether the wallet gains or gives."""
    asset_code: Currency
    """The currency."""
    amount: str
    """The amount: 8 decimals."""
    status: TransactionStatus
    """In which state it is."""
    network: Network | None
    """The blockchain network, in lower case."""
    crypto_transaction_id: str | None
    """The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed:
    it can be replaced by one with a higher fee, and the one that was mined stays.
    """
    updated_at: str
    """When it was last changed."""
    approval_hash: str
    """Stands for exactly what the payout sends: an approver sends it with the approval. Null for a payout that needs
    none.
    """
    approval_expires_at: str
    """If it is not approved by then, it fails and its money goes back; null for a payout that needs none."""


class PayoutApprovalRequiredEvent(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["payout.approval_required"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventApproval
    """The resource as it was then: ids, states and amounts, never personal data."""


class PayoutCompletedEvent(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["payout.completed"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventTransaction
    """The resource as it was then: ids, states and amounts, never personal data."""


class PayoutFailedEvent(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["payout.failed"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventTransaction
    """The resource as it was then: ids, states and amounts, never personal data."""


class PayoutReversedEvent(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["payout.reversed"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventTransaction
    """The resource as it was then: ids, states and amounts, never personal data."""


class EventTest(TypedDict):
    webhook_id: str
    """The webhook."""


class WebhookTestEvent(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["webhook.test"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventTest
    """The resource as it was then: ids, states and amounts, never personal data."""


Event: TypeAlias = (
    CustomerCreatedEvent
    | CustomerUpdatedEvent
    | CustomerClosedEvent
    | DepositPendingEvent
    | DepositCompletedEvent
    | DepositFailedEvent
    | DepositReversedEvent
    | SwapCompletedEvent
    | PayoutApprovalRequiredEvent
    | PayoutCompletedEvent
    | PayoutFailedEvent
    | PayoutReversedEvent
    | WebhookTestEvent
)


class SwapCompletedEventWithDeliveries(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["swap.completed"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventSwap
    """The resource as it was then: ids, states and amounts, never personal data."""
    deliveries: list[EventDelivery]
    """How the event fared at each webhook, oldest webhook first."""


class PayoutApprovalRequiredEventWithDeliveries(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["payout.approval_required"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventApproval
    """The resource as it was then: ids, states and amounts, never personal data."""
    deliveries: list[EventDelivery]
    """How the event fared at each webhook, oldest webhook first."""


class PayoutCompletedEventWithDeliveries(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["payout.completed"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventTransaction
    """The resource as it was then: ids, states and amounts, never personal data."""
    deliveries: list[EventDelivery]
    """How the event fared at each webhook, oldest webhook first."""


class PayoutFailedEventWithDeliveries(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["payout.failed"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventTransaction
    """The resource as it was then: ids, states and amounts, never personal data."""
    deliveries: list[EventDelivery]
    """How the event fared at each webhook, oldest webhook first."""


class PayoutReversedEventWithDeliveries(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["payout.reversed"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventTransaction
    """The resource as it was then: ids, states and amounts, never personal data."""
    deliveries: list[EventDelivery]
    """How the event fared at each webhook, oldest webhook first."""


class WebhookTestEventWithDeliveries(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["webhook.test"]
    """What happened."""
    created_at: str
    """When it happened."""
    sequence: int
    """Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it."""
    data: EventTest
    """The resource as it was then: ids, states and amounts, never personal data."""
    deliveries: list[EventDelivery]
    """How the event fared at each webhook, oldest webhook first."""


EventWithDeliveries: TypeAlias = (
    CustomerCreatedEventWithDeliveries
    | CustomerUpdatedEventWithDeliveries
    | CustomerClosedEventWithDeliveries
    | DepositPendingEventWithDeliveries
    | DepositCompletedEventWithDeliveries
    | DepositFailedEventWithDeliveries
    | DepositReversedEventWithDeliveries
    | SwapCompletedEventWithDeliveries
    | PayoutApprovalRequiredEventWithDeliveries
    | PayoutCompletedEventWithDeliveries
    | PayoutFailedEventWithDeliveries
    | PayoutReversedEventWithDeliveries
    | WebhookTestEventWithDeliveries
)


class SwapTransaction(TypedDict):
    id: str
    """Identifies the resource."""
    sender_wallet_id: str | None
    """The wallet that the money leaves; null when it comes from outside."""
    receiver_wallet_id: str | None
    """The wallet that the money reaches; null when it goes outside."""
    transaction_id: str
    """Short identifier of the transaction."""
    asset_code: Currency
    """The currency."""
    amount: str
    """The amount: 8 decimals."""
    reference_id: str
    """Groups related transactions; for a swap its swapId."""
    status: TransactionStatus
    """In which state it is."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    crypto_transaction_id: str | None
    """The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed:
    it can be replaced by one with a higher fee, and the one that was mined stays.
    """
    network: Network | None
    """The blockchain network, in lower case."""
    transaction_type: TransactionType
    """What kind of movement it is."""
    transaction_mode: TransactionMode
    """Whether the wallet gains or gives."""
    exchange_rate: str | None
    """The price at which the amount was exchanged or valued."""
    withdrawal_recipient_name: str | None
    """Who is paid."""
    fee: str | None
    """What the payout cost on top of the amount; null: nothing."""
    balance: str
    """The balance of the wallet right after the transaction."""
    reason: str | None
    """For payouts, where the money goes."""
    customer_id: str | None
    """The customer that it belongs to or concerns; null or left out: the merchant itself."""


class ExecutedSwap(TypedDict):
    debitTransaction: SwapTransaction
    """What leaves the wallet in from_currency."""
    creditTransaction: SwapTransaction
    """What arrives in the wallet in to_currency."""
    swapId: str
    """The swap: the id of its quote, and the reference_id of both transactions."""


ExplainedEventMovement: TypeAlias = Literal[
    "wallet-opened",
    "deposit-address-added",
    "customer-closed",
    "deposit-recorded",
    "deposit-completed",
    "deposit-failed",
    "deposit-reversed",
    "swap-accepted",
    "swap-settled",
    "payout-accepted",
    "payout-completed",
    "payout-failed",
    "payout-reversed",
    "payout-waiting",
    "payout-approved",
    "payout-released",
    "policy-changed",
    "transfer-sent",
    "transfer-received",
]


class ExplainedEvent(TypedDict):
    position: int
    """Where the event stands in the log of the shard, counted from 1."""
    group: int
    """Position of the first event of its group: what stands or falls together."""
    movement: ExplainedEventMovement
    """What the group of events amounts to."""
    recorded_at: str
    """When the event was recorded."""
    command_id: str
    """The command that led to the event."""
    type: Literal["DebitPosted", "CreditPosted", "TransactionStatusChanged"]
    """What kind of event it is."""
    account_id: str
    """A wallet, or an account of the house."""
    currency: Currency | None
    """The currency posted; null for a step of the status."""
    amount: str | None
    """The amount posted; null for a step of the status."""
    from_status: TransactionStatus | None
    """The status before; null for the first one, and for postings."""
    to_status: TransactionStatus | None
    """The status from here on; null for postings."""
    balance_after: str | None
    """What the wallet held after the event; null for accounts of the house."""
    leaf_hash: str
    """The hash of the event as a leaf of the Merkle tree that checkpoints sign."""


FieldErrorCode: TypeAlias = Literal[
    "required",
    "unknown_field",
    "repeated_parameter",
    "conflicting_fields",
    "not_applicable",
    "invalid_object",
    "invalid_list",
    "too_deep",
    "too_many_values",
    "invalid_text",
    "invalid_choice",
    "invalid_boolean",
    "invalid_number",
    "invalid_amount",
    "too_many_decimals",
    "faucet_empty",
    "no_faucet",
    "invalid_date",
    "invalid_hash",
    "invalid_moment",
    "in_the_future",
    "invalid_date_range",
    "too_young",
    "invalid_email",
    "invalid_phone",
    "invalid_phone_country_code",
    "invalid_url",
    "private_address",
    "invalid_uuid",
    "invalid_country",
    "invalid_industry",
    "invalid_document",
    "invalid_form",
    "document_too_large",
    "unsupported_currency",
    "unsupported_network",
    "invalid_address",
    "unpayable_address",
    "invalid_account_number",
    "invalid_bank_code",
    "invalid_sort_code",
    "invalid_swift_code",
    "invalid_routing_number",
    "invalid_iban",
    "invalid_page",
    "invalid_limit",
    "invalid_idempotency_key",
    "invalid_value",
]


class FieldError(TypedDict):
    field: str
    """The path of the field in the body, or the name of the parameter; empty for the body as a whole."""
    code: FieldErrorCode
    """What is wrong with the field; a closed set."""
    message: str
    """The same in a sentence, without the value that was sent."""


Occupation: TypeAlias = Literal[
    "111011",
    "111021",
    "111031",
    "112011",
    "112021",
    "113012",
    "113013",
    "113021",
    "113031",
    "113051",
    "113111",
    "113121",
    "119013",
    "119021",
    "119030",
    "119041",
    "119051",
    "119070",
    "119081",
    "119111",
    "119121",
    "119161",
    "119171",
    "119199",
    "131011",
    "131021",
    "131030",
    "131041",
    "131051",
    "131070",
    "131081",
    "131111",
    "131121",
    "131131",
    "131141",
    "131161",
    "131199",
    "132011",
    "132031",
    "132041",
    "132051",
    "132053",
    "132061",
    "132070",
    "151211",
    "151212",
    "151221",
    "151230",
    "151241",
    "151244",
    "151251",
    "151299",
    "152011",
    "152021",
    "152031",
    "171011",
    "171012",
    "172011",
    "172021",
    "172031",
    "172041",
    "172051",
    "172061",
    "172070",
    "172081",
    "172110",
    "172121",
    "172131",
    "172141",
    "172151",
    "172161",
    "172199",
    "173011",
    "173023",
    "191010",
    "191020",
    "191030",
    "191040",
    "191099",
    "192010",
    "192021",
    "192030",
    "192041",
    "193011",
    "193033",
    "193090",
    "194010",
    "194021",
    "194031",
    "194040",
    "194051",
    "195010",
    "211012",
    "211013",
    "211014",
    "211019",
    "211021",
    "211022",
    "211023",
    "212011",
    "212021",
    "231011",
    "231012",
    "231020",
    "232099",
    "252020",
    "254010",
    "254022",
    "254031",
    "271010",
    "271021",
    "271022",
    "271023",
    "271024",
    "271025",
    "271026",
    "272011",
    "272021",
    "272022",
    "272030",
    "272041",
    "272042",
    "272091",
    "272099",
    "273011",
    "273023",
    "273041",
    "273091",
    "273092",
    "273099",
    "274010",
    "274099",
    "291011",
    "291020",
    "291031",
    "291041",
    "291122",
    "291128",
    "291151",
    "291161",
    "291171",
    "291181",
    "291214",
    "291291",
    "291292",
    "291299",
    "292010",
    "292031",
    "292032",
    "292035",
    "292042",
    "292061",
    "292072",
    "292081",
    "292090",
    "299000",
    "311121",
    "311131",
    "312010",
    "319011",
    "319091",
    "319092",
    "319094",
    "331011",
    "331012",
    "331021",
    "331091",
    "331099",
    "332011",
    "332020",
    "333011",
    "333012",
    "333021",
    "333031",
    "339011",
    "339091",
    "351011",
    "351012",
    "352010",
    "352021",
    "353011",
    "353023",
    "353041",
    "359011",
    "359021",
    "359031",
    "359099",
    "371011",
    "371012",
    "372012",
    "373011",
    "392011",
    "392021",
    "393010",
    "394031",
    "395011",
    "395012",
    "395092",
    "396010",
    "399011",
    "399031",
    "411011",
    "411012",
    "412010",
    "412021",
    "413011",
    "413021",
    "419010",
    "419091",
    "431011",
    "432099",
    "433011",
    "433021",
    "433031",
    "433041",
    "433099",
    "434011",
    "434021",
    "434031",
    "434041",
    "434051",
    "434061",
    "434071",
    "434081",
    "434111",
    "434121",
    "434131",
    "434141",
    "434151",
    "434161",
    "434199",
    "435011",
    "435021",
    "435032",
    "435041",
    "436011",
    "436012",
    "436013",
    "439021",
    "439031",
    "439041",
    "439051",
    "439061",
    "439071",
    "439199",
    "451011",
    "452011",
    "452021",
    "452041",
    "452090",
    "453031",
    "454011",
    "454020",
    "471011",
    "472011",
    "472020",
    "472031",
    "472040",
    "472050",
    "472061",
    "472070",
    "472080",
    "472111",
    "472121",
    "472130",
    "473010",
    "474011",
    "474021",
    "474031",
    "474041",
    "474051",
    "474090",
    "475010",
    "475022",
    "475023",
    "475032",
    "491011",
    "492011",
    "492091",
    "492092",
    "492093",
    "492096",
    "492097",
    "493011",
    "493021",
    "493022",
    "493023",
    "493031",
    "493040",
    "493090",
    "499010",
    "499021",
    "499031",
    "499043",
    "499044",
    "499051",
    "499071",
    "499091",
    "499092",
    "499094",
    "499095",
    "499098",
    "511011",
    "512011",
    "512020",
    "512031",
    "513011",
    "513020",
    "513091",
    "513092",
    "513093",
    "513099",
    "514020",
    "514031",
    "514033",
    "514041",
    "514050",
    "514060",
    "514070",
    "516011",
    "517011",
    "517021",
    "518090",
    "519010",
    "519020",
    "519030",
    "519041",
    "519051",
    "519061",
    "519071",
    "519080",
    "519160",
    "519191",
    "519194",
    "519195",
    "519198",
    "532010",
    "532020",
    "532031",
    "533011",
    "533030",
    "533099",
    "534010",
    "537021",
    "537051",
    "537061",
    "537062",
    "537063",
    "551010",
    "552010",
    "553010",
    "554010",
    "1320XX",
    "15124X",
    "17301X",
    "17302X",
    "19204X",
    "1940XX",
    "21109X",
    "2590XX",
    "27102X",
    "29203X",
    "29205X",
    "31113X",
    "31909X",
    "37201X",
    "37301X",
    "3930XX",
    "3940XX",
    "4750XX",
    "49209X",
    "49904X",
    "49909X",
    "5120XX",
    "5370XX",
]


SourceOfFunds: TypeAlias = Literal[
    "BUSINESS_LOANS",
    "GRANTS",
    "INTER_COMPANY_FUNDS",
    "INVESTMENT_PROCEEDS",
    "LEGAL_SETTLEMENT",
    "OWNERS_CAPITAL",
    "PENSION_RETIREMENT",
    "SALE_OF_ASSETS",
    "SALES_OF_GOODS_AND_SERVICES",
    "TAX_REFUND",
    "THIRD_PARTY_FUNDS",
    "TREASURY_RESERVES",
    "ASSETS_SALE",
    "BUSINESS_INCOME",
    "CASH_DEPOSITS",
    "COMPANY_FUNDS",
    "ECOMMERCE_RESELLER",
    "GAMBLING_PROCEEDS",
    "GIFTS",
    "GOVERNMENT_BENEFITS",
    "INHERITANCE",
    "INVESTMENTS_LOANS",
    "SALARY",
    "SALE_OF_ASSETS_REAL_ESTATE",
    "SAVINGS",
    "SOMEONE_ELSES_FUNDS",
]


class IndividualCustomerParams(TypedDict):
    customer_type: NotRequired[Literal["individual"]]
    """Whether the customer is a person or a business."""
    first_name: str
    """Given name."""
    middle_name: NotRequired[str | None]
    """Middle name."""
    last_name: str
    """Family name."""
    email: str
    """E-mail address, unique among your customers; compared in lower case."""
    phone: str
    """Phone number with + and calling code, unique among your customers."""
    phone_country_code: NotRequired[str | None]
    """Calling code of the phone number."""
    birth_date: str
    """Date of birth; at least 18 years ago."""
    account_purpose: AccountPurpose
    """What the account is for."""
    account_purpose_explanation: NotRequired[str | None]
    """The same in your own words; line feeds and tabs allowed."""
    employment_status: EmploymentStatus
    """How the person earns a living."""
    expected_monthly_income: Amount
    """Expected income in a month, in local currency: zero or more, at most 2 decimals."""
    expected_monthly_payments_usd: NotRequired[Amount | None]
    """Expected payments in a month, in US dollars."""
    most_recent_occupation: Occupation
    """Latest occupation: an SOC code, printed as its title."""
    source_of_funds: SourceOfFunds
    """Where the money comes from."""
    acting_as_intermediary: NotRequired[bool | None]
    """Whether the person acts for someone else; false unless said."""
    tax_identification_number: NotRequired[str | None]
    """Tax number; kept encrypted, never printed."""
    registered_address: RegisteredAddress
    """The registered address."""
    documents: NotRequired[list[DocumentUpload] | None]
    """KYC documents to attach."""
    user_documents: NotRequired[list[DocumentUpload] | None]
    """Another name of documents; not together with it."""


class PersonalFields(TypedDict):
    first_name: NotRequired[str]
    """Given name."""
    middle_name: NotRequired[str | None]
    """Middle name."""
    last_name: NotRequired[str]
    """Family name."""
    birth_date: NotRequired[str]
    """Date of birth; at least 18 years ago."""


class IndividualFinances(TypedDict):
    account_purpose: NotRequired[str]
    """What the account is for."""
    employment_status: NotRequired[str]
    """How the person earns a living."""
    expected_monthly_income: NotRequired[Amount]
    """Expected income in a month, in local currency: zero or more, at most 2 decimals."""
    most_recent_occupation: NotRequired[str]
    """Latest occupation: an SOC code, printed as its title."""
    source_of_funds: NotRequired[str]
    """Where the money comes from."""


class IndividualCustomerUpdateParams(TypedDict):
    address: NotRequired[PrintedAddress | RegisteredAddress]
    """The address as look-ups print it, in place of registered_address."""
    personal_info: NotRequired[PersonalFields]
    """As look-ups print it; its fields may be sent at top level instead."""
    financial_info: NotRequired[IndividualFinances]
    """As look-ups print it; its fields may be sent at top level instead."""
    customer_type: NotRequired[Literal["individual"]]
    """Whether the customer is a person or a business."""
    email: NotRequired[str]
    """E-mail address, unique among your customers; compared in lower case."""
    phone: NotRequired[str]
    """Phone number with + and calling code, unique among your customers."""
    phone_country_code: NotRequired[str | None]
    """Calling code of the phone number."""
    account_purpose_explanation: NotRequired[str | None]
    """The same in your own words; line feeds and tabs allowed."""
    expected_monthly_payments_usd: NotRequired[Amount | None]
    """Expected payments in a month, in US dollars."""
    acting_as_intermediary: NotRequired[bool | None]
    """Whether the person acts for someone else; false unless said."""
    tax_identification_number: NotRequired[str | None]
    """Tax number; kept encrypted, never printed."""
    registered_address: NotRequired[RegisteredAddress]
    """The registered address."""
    first_name: NotRequired[str]
    """Given name."""
    middle_name: NotRequired[str | None]
    """Middle name."""
    last_name: NotRequired[str]
    """Family name."""
    birth_date: NotRequired[str]
    """Date of birth; at least 18 years ago."""
    account_purpose: NotRequired[str]
    """What the account is for."""
    employment_status: NotRequired[str]
    """How the person earns a living."""
    expected_monthly_income: NotRequired[Amount]
    """Expected income in a month, in local currency: zero or more, at most 2 decimals."""
    most_recent_occupation: NotRequired[str]
    """Latest occupation: an SOC code, printed as its title."""
    source_of_funds: NotRequired[str]
    """Where the money comes from."""
    documents: NotRequired[list[DocumentUpload] | None]
    """KYC documents to attach."""
    user_documents: NotRequired[list[DocumentUpload] | None]
    """Another name of documents; not together with it."""
    id: NotRequired[object]
    """Printed by look-ups; taken back and left alone. Taken and left alone"""
    status: NotRequired[object]
    """In which state it is. Taken and left alone"""
    kyc_status: NotRequired[object]
    """How far the compliance review has come; payouts need approved. Taken and left alone"""
    created_at: NotRequired[object]
    """When it was created. Taken and left alone"""
    updated_at: NotRequired[object]
    """When it was last changed. Taken and left alone"""


class LiabilityNode(TypedDict):
    hash: str
    """Hash of the node."""
    sum: str
    """What is owed to all wallets under it."""


class LiabilityProof(TypedDict):
    format: Literal["stablecoin-ledger-liability/1"]
    """What kind of document this is, and its version."""
    wallet_id: str
    """The wallet."""
    currency: Currency
    """The currency."""
    balance: str
    """What the wallet held then; below zero only by a deposit that was reversed, and then counted as zero."""
    held: str
    """Amounts and fees of its payouts that were PENDING then."""
    salt: str
    """What the wallet's leaf was hashed with: its own, and no other's."""
    index: int
    """Which leaf of the tree it is, from 0; its bits say on which side each node of the path stands."""
    path: list[LiabilityNode]
    """The nodes beside the way to the root, the nearest first."""
    statement: str
    """What we have signed that we owe, line feeds included."""


WebhookEventType: TypeAlias = Literal[
    "customer.created",
    "customer.updated",
    "customer.closed",
    "deposit.pending",
    "deposit.completed",
    "deposit.failed",
    "deposit.reversed",
    "swap.completed",
    "payout.approval_required",
    "payout.completed",
    "payout.failed",
    "payout.reversed",
]


WebhookStatus: TypeAlias = Literal["enabled", "disabled"]


class NewWebhook(TypedDict):
    id: str
    """Identifies the resource."""
    url: str
    """Where events are sent: https, or with a test key http on this machine."""
    description: str | None
    """A note of your own."""
    events: list[WebhookEventType] | None
    """The types that are sent there; null or left out: all of them."""
    status: WebhookStatus
    """Whether it is sent to; disabled by you, or once it answered 410."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    secret: str
    """Signs what is sent there: whsec_ and the key in base64. Shown once."""


class OpenedDepositAddress(TypedDict):
    id: str
    """Identifies the resource."""
    address: str
    """The deposit address."""
    network: Network
    """The blockchain network, in lower case."""
    created_at: str
    """When it was created."""
    crypto_wallet_id: str
    """The wallet that the address belongs to."""


class OpenedWallet(TypedDict):
    id: str
    """Identifies the resource."""
    asset_type: AssetType
    """Whether it is national currency or a stablecoin."""
    currency: Currency
    """The currency."""
    balance: str
    """What the wallet holds and can spend: 8 decimals. Below zero only by deposits that were reversed."""
    description: str
    """A note of your own."""
    status: Literal["active"]
    """In which state it is."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    customer_id: str | None
    """The customer that it belongs to or concerns; null or left out: the merchant itself."""
    addresses: list[OpenedDepositAddress]
    """Deposit addresses, oldest first; none for fiat."""


class Pagination(TypedDict):
    total: int
    """How many items the whole list has."""
    page: int
    """Which page, from 1."""
    limit: int
    """How many items a page has at most."""
    totalPages: int
    """How many pages there are; 0 for an empty list."""


class PastBalance(TypedDict):
    wallet_id: str
    """The wallet."""
    currency: Currency
    """The currency."""
    balance: str
    """What the wallet held; zero before it was opened."""
    position: int | None
    """Position of the event after which it was this; null before the wallet was opened."""
    recorded_at: str | None
    """When the event was recorded."""


class Payout(TypedDict):
    id: str
    """Identifies the resource."""
    sender_wallet_id: str | None
    """The wallet that the money leaves; null when it comes from outside."""
    receiver_wallet_id: str | None
    """The wallet that the money reaches; null when it goes outside."""
    transaction_id: str
    """Short identifier of the transaction."""
    asset_code: Currency
    """The currency."""
    amount: str
    """The amount: 8 decimals."""
    reference_id: str
    """Groups related transactions; for a swap its swapId."""
    status: TransactionStatus
    """In which state it is."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    crypto_transaction_id: str | None
    """The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed:
    it can be replaced by one with a higher fee, and the one that was mined stays.
    """
    network: Network | None
    """The blockchain network, in lower case."""
    transaction_type: TransactionType
    """What kind of movement it is."""
    transaction_mode: TransactionMode
    """Whether the wallet gains or gives."""
    exchange_rate: str | None
    """The price at which the amount was exchanged or valued."""
    withdrawal_recipient_name: str | None
    """Who is paid."""
    fee: str | None
    """What the payout cost on top of the amount; null: nothing."""
    balance: str
    """The balance of the wallet right after the payout was held."""
    reason: str | None
    """For payouts, where the money goes."""
    customer_id: str | None
    """The customer that it belongs to or concerns; null or left out: the merchant itself."""
    recipient_currency: Currency | None
    """Currency of the account that is paid; left out, that of the payout if fiat, else USD."""
    recipient_country: str | None
    """Country of the account that is paid."""
    bank_name: str | None
    """Name of the bank."""
    bank_code: str | None
    """Code of the bank."""
    bank_account: str | None
    """Number of the account that is paid."""
    address: str | None
    """The address that is paid."""
    amount_fiat: str
    """What the amount is worth in recipient_currency at this moment."""
    fiat_reference_id: str | None
    """The bank's reference, once there is one."""
    waiting_for: Literal["approval", "cooling_off", "screening"] | None
    """Why a PENDING payout is not sent yet: `approval`, until enough other keys have approved it; `cooling_off`, until
    its destination has been known for long enough; `screening`, while its recipient is under review, told where it is
    looked up by itself. Else null.
    """
    send_after: str | None
    """Before then the payout is not sent; null where nothing has to be waited for."""
    approval_hash: str | None
    """Stands for exactly what the payout sends: an approver sends it with the approval. Null for a payout that needs
    none.
    """
    approvals_required: int | None
    """How many keys must approve it; null for a payout that needs none."""
    approvals: list[Approval] | None
    """The approvals that are there; null for a payout that needs none."""
    approval_expires_at: str | None
    """If it is not approved by then, it fails and its money goes back; null for a payout that needs none."""


class PayoutApprovalParams(TypedDict):
    approval_hash: str
    """The approval_hash of the payout, as it is shown."""


class PayoutDryRun(TypedDict):
    dry_run: Literal[True]
    """Always true, and left out of the answer to what was done: nothing was written."""
    id: None
    """Null: nothing was recorded."""
    sender_wallet_id: str | None
    """The wallet that the money leaves; null when it comes from outside."""
    receiver_wallet_id: str | None
    """The wallet that the money reaches; null when it goes outside."""
    transaction_id: None
    """Null: nothing was recorded."""
    asset_code: Currency
    """The currency."""
    amount: str
    """The amount: 8 decimals."""
    reference_id: None
    """Null: nothing was recorded."""
    status: TransactionStatus
    """In which state it is."""
    created_at: None
    """Null: nothing was recorded."""
    updated_at: None
    """Null: nothing was recorded."""
    crypto_transaction_id: str | None
    """The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed:
    it can be replaced by one with a higher fee, and the one that was mined stays.
    """
    network: Network | None
    """The blockchain network, in lower case."""
    transaction_type: TransactionType
    """What kind of movement it is."""
    transaction_mode: TransactionMode
    """Whether the wallet gains or gives."""
    exchange_rate: str | None
    """The price at which the amount was exchanged or valued."""
    withdrawal_recipient_name: str | None
    """Who is paid."""
    fee: str | None
    """What the payout cost on top of the amount; null: nothing."""
    balance: str
    """The balance that the wallet would have right after the payout was held."""
    reason: str | None
    """For payouts, where the money goes."""
    customer_id: str | None
    """The customer that it belongs to or concerns; null or left out: the merchant itself."""
    recipient_currency: Currency | None
    """Currency of the account that is paid; left out, that of the payout if fiat, else USD."""
    recipient_country: str | None
    """Country of the account that is paid."""
    bank_name: str | None
    """Name of the bank."""
    bank_code: str | None
    """Code of the bank."""
    bank_account: str | None
    """Number of the account that is paid."""
    address: str | None
    """The address that would be paid."""
    amount_fiat: str
    """What the amount is worth in recipient_currency at this moment."""
    fiat_reference_id: str | None
    """The bank's reference, once there is one."""
    waiting_for: Literal["approval", "cooling_off", "screening"] | None
    """Why a PENDING payout is not sent yet: `approval`, until enough other keys have approved it; `cooling_off`, until
    its destination has been known for long enough; `screening`, while its recipient is under review, told where it is
    looked up by itself. Else null.
    """
    send_after: str | None
    """Before then the payout is not sent; null where nothing has to be waited for."""
    approval_hash: str | None
    """Stands for exactly what the payout sends: an approver sends it with the approval. Null for a payout that needs
    none.
    """
    approvals_required: int | None
    """How many keys must approve it; null for a payout that needs none."""
    approvals: list[Approval] | None
    """The approvals that are there; null for a payout that needs none."""
    approval_expires_at: str | None
    """If it is not approved by then, it fails and its money goes back; null for a payout that needs none."""


class WalletPayoutMethod(TypedDict):
    id: str
    """Identifies the resource."""
    type: Literal["WALLET"]
    """What kind of method it is."""
    currency: Currency
    """The currency."""
    label: str | None
    """A name of your own for it."""
    wallet_address: str
    """The address to pay to; its checksum is checked."""
    network: Network
    """The blockchain network, in lower case."""
    customer_id: str | None
    """The customer that it belongs to or concerns; null or left out: the merchant itself."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


PayoutMethod: TypeAlias = WalletPayoutMethod | BankPayoutMethod


class PayoutMethodDeleteParams(TypedDict):
    customer_id: NotRequired[str | None]
    """The owner of a customer's method; left out for the merchant's own."""


class PayoutMethodPagination(TypedDict):
    total: int
    """How many items the whole list has."""
    page: int
    """Which page, from 1."""
    limit: int
    """How many items a page has at most."""
    totalPages: int
    """How many pages there are; 0 for an empty list."""
    hasNextPage: bool
    """Whether a page follows."""
    hasPreviousPage: bool
    """Whether a page precedes."""


class PolicyLimit(TypedDict):
    currency: Currency
    """The currency."""
    per: Literal["merchant", "customer", "destination"]
    """Of what the limit holds: of all payouts, of those of one customer, or of those to one destination."""
    within: Literal["payment", "hour", "day", "month"]
    """A payment by itself, or all of the last hour, 24 hours (day) or 30 days (month)."""
    amount: str | None
    """The sum of the amounts, without fees; null where only payouts are counted."""
    count: int | None
    """How many payouts; null where only amounts are summed up."""


class PolicyApproval(TypedDict):
    above: list[ApprovalAbove]
    """Payouts of more than this need approvals."""
    new_destination: bool
    """Payouts need approvals as long as nothing was ever sent to their destination."""
    new_rail: bool
    """Payouts need approvals as long as nothing was ever sent by their rail: bank, or network."""
    approvers: int
    """How many keys must approve such a payout, none of them that which created it."""
    expires_after_seconds: int
    """After so long a payout that is not approved fails."""


class PayoutPolicy(TypedDict):
    version: int
    """Counts the changes of the policy, from 1; 0 where there is none."""
    changed_at: str | None
    """When this version came into force; null where there is none."""
    limits: list[PolicyLimit] | None
    """What may go out at the most; a currency that no limit names does not go out. Null where there is no policy."""
    new_destination_wait_seconds: int
    """How long the first payouts to a new destination wait."""
    approval: PolicyApproval | None
    """Which payouts need approvals; null where none does."""


class ProvenEventBalance(TypedDict):
    after: str
    """The balance after the event; empty where there is none."""
    salt: str
    """What the balance was hashed with."""


class ProvenEvent(TypedDict):
    position: int
    """Where the event stands in the log of the shard, counted from 1."""
    statement: str
    """The canonical text of the event, less the balance of its account."""
    balance: ProvenEventBalance | None
    """The balance after the event, and what opens the commitment to it; null for accounts of the house."""
    commitment: str | None
    """In place of the balance, for accounts of the house: its hash."""
    path: list[str]
    """The hashes beside the way to the root, the nearest first."""


class Proof(TypedDict):
    format: Literal["stablecoin-ledger-proof/1"]
    """What kind of document this is, and its version."""
    transaction_id: str
    """Short identifier of the transaction."""
    checkpoint: str
    """The signed checkpoint (c2sp.org/tlog-checkpoint), line feeds included."""
    events: list[ProvenEvent]
    """Whole groups of events, in the order of the log."""


class QuoteOwner(TypedDict):
    id: str
    """The customer's id, or the merchant's own."""
    sn: str
    """Short serial number of the owner."""
    email: str
    """E-mail address of the owner."""
    reference: str | None
    """A reference to the owner."""
    first_name: str
    """Given name, or the name of the business."""
    last_name: str
    """Family name."""
    display_name: str | None
    """How the owner is called."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class Quote(TypedDict):
    id: str
    """Identifies the resource."""
    from_currency: Currency
    """The currency given."""
    to_currency: Currency
    """The currency received."""
    quoted_price: str
    """Units of to_currency for one from_currency, spread included."""
    quoted_currency: Currency
    """The currency of the price: to_currency."""
    from_amount: str
    """What is given."""
    to_amount: str
    """What is received, rounded down to what the currency has."""
    confirmed: bool
    """Whether the swap was executed."""
    expires_at: str
    """Until when the price is good."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    user: QuoteOwner
    """Who owns the quote: the customer, or the merchant."""


class QuoteParams(TypedDict):
    customer_id: NotRequired[str | None]
    """The customer that it belongs to or concerns; null or left out: the merchant itself."""
    from_currency: Currency
    """The currency given. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case."""
    to_currency: Currency
    """The currency received. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case."""
    amount: Amount
    """An amount as decimal text, positive, at most 8 decimals."""


class QuoteRefreshParams(TypedDict):
    from_amount: NotRequired[Amount]
    """What the quote was made for; required unless amount says it."""
    amount: NotRequired[Amount]
    """Another name of from_amount."""
    customer_id: NotRequired[str | None]
    """The customer that it belongs to or concerns; null or left out: the merchant itself."""
    from_currency: Currency
    """The currency given. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case."""
    to_currency: Currency
    """The currency received. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case."""


class RotatedWebhook(TypedDict):
    id: str
    """Identifies the resource."""
    url: str
    """Where events are sent: https, or with a test key http on this machine."""
    description: str | None
    """A note of your own."""
    events: list[WebhookEventType] | None
    """The types that are sent there; null or left out: all of them."""
    status: WebhookStatus
    """Whether it is sent to; disabled by you, or once it answered 410."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    secret: str
    """Signs what is sent there: whsec_ and the key in base64. Shown once."""
    previous_secret_expires_at: str
    """Until when the secret before signs beside it."""


class SandboxDepositParams(TypedDict):
    wallet_id: NotRequired[str]
    """The wallet in which the deposit arrives; or `currency` in its place."""
    currency: NotRequired[Currency | None]
    """Your own wallet in this currency, and no customer's. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case."""
    amount: Amount
    """An amount as decimal text, positive, at most 8 decimals."""
    network: NotRequired[Network | None]
    """Over which of its networks; left out, its first one."""
    reference: NotRequired[str | None]
    """A reference of your own; with `sandbox:hold` the deposit stays PENDING until you say what becomes of it."""


class StatusStep(TypedDict):
    status: TransactionStatus
    """In which state it is."""
    recorded_at: str
    """When the event was recorded."""
    position: int
    """Where the event stands in the log of the shard, counted from 1."""


class SwapTransactionDryRun(TypedDict):
    id: None
    """Null: nothing was recorded."""
    sender_wallet_id: str | None
    """The wallet that the money leaves; null when it comes from outside."""
    receiver_wallet_id: str | None
    """The wallet that the money reaches; null when it goes outside."""
    transaction_id: None
    """Null: nothing was recorded."""
    asset_code: Currency
    """The currency."""
    amount: str
    """The amount: 8 decimals."""
    reference_id: None
    """Null: nothing was recorded."""
    status: TransactionStatus
    """In which state it is."""
    created_at: None
    """Null: nothing was recorded."""
    updated_at: None
    """Null: nothing was recorded."""
    crypto_transaction_id: str | None
    """The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed:
    it can be replaced by one with a higher fee, and the one that was mined stays.
    """
    network: Network | None
    """The blockchain network, in lower case."""
    transaction_type: TransactionType
    """What kind of movement it is."""
    transaction_mode: TransactionMode
    """Whether the wallet gains or gives."""
    exchange_rate: str | None
    """The price at which the amount was exchanged or valued."""
    withdrawal_recipient_name: str | None
    """Who is paid."""
    fee: str | None
    """What the payout cost on top of the amount; null: nothing."""
    balance: str
    """The balance that the wallet would have right after the transaction."""
    reason: str | None
    """For payouts, where the money goes."""
    customer_id: str | None
    """The customer that it belongs to or concerns; null or left out: the merchant itself."""


class SwapDryRun(TypedDict):
    dry_run: Literal[True]
    """Always true, and left out of the answer to what was done: nothing was written."""
    debitTransaction: SwapTransactionDryRun
    """What leaves the wallet in from_currency."""
    creditTransaction: SwapTransactionDryRun
    """What arrives in the wallet in to_currency."""
    swapId: str
    """The quote that would be used; it stays open."""


class SwapParams(TypedDict):
    dry_run: NotRequired[bool | None]
    """True: nothing is written and no Idempotency-Key is used; the answer is the one that the request would get now."""
    customer_id: NotRequired[str | None]
    """The customer that it belongs to or concerns; null or left out: the merchant itself."""
    from_currency: Currency
    """The currency given. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case."""
    to_currency: Currency
    """The currency received. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case."""
    amount: Amount
    """An amount as decimal text, positive, at most 8 decimals."""
    quote_id: NotRequired[str | None]
    """The quote to execute; without it, the latest open one of this owner, pair and amount."""


class Transaction(TypedDict):
    id: str
    """Identifies the resource."""
    sender_wallet_id: str | None
    """The wallet that the money leaves; null when it comes from outside."""
    receiver_wallet_id: str | None
    """The wallet that the money reaches; null when it goes outside."""
    transaction_id: str
    """Short identifier of the transaction."""
    asset_code: Currency
    """The currency."""
    amount: str
    """The amount: 8 decimals."""
    reference_id: str
    """Groups related transactions; for a swap its swapId."""
    status: TransactionStatus
    """In which state it is."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    crypto_transaction_id: str | None
    """The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed:
    it can be replaced by one with a higher fee, and the one that was mined stays.
    """
    network: Network | None
    """The blockchain network, in lower case."""
    transaction_type: TransactionType
    """What kind of movement it is."""
    transaction_mode: TransactionMode
    """Whether the wallet gains or gives."""
    exchange_rate: str | None
    """The price at which the amount was exchanged or valued."""
    withdrawal_recipient_name: str | None
    """Who is paid."""
    fee: str | None
    """What the payout cost on top of the amount; null: nothing."""
    balance: str
    """The balance of the wallet right after the latest event of the transaction."""
    reason: str | None
    """For payouts, where the money goes."""
    customer_id: str | None
    """The customer that it belongs to or concerns; null or left out: the merchant itself."""
    recipient_currency: Currency | None
    """Currency of the account that is paid; left out, that of the payout if fiat, else USD."""
    recipient_country: str | None
    """Country of the account that is paid."""
    bank_name: str | None
    """Name of the bank."""
    bank_code: str | None
    """Code of the bank."""
    bank_account: str | None
    """Number of the account that is paid."""
    address: str | None
    """The address that is paid."""
    explorer_url: str | None
    """Where people look at that transaction; null for one that is on no chain."""
    confirmations: int | None
    """Of a PENDING deposit on an EVM network that is looked up by itself: the block that it is in, and those after it.
    Else null, and while the chain is not known.
    """
    confirmations_required: int | None
    """With how many of them it is credited; null where that is when its network calls the block final."""
    waiting_for: Literal["approval", "cooling_off", "screening"] | None
    """Why a PENDING payout is not sent yet: `approval`, until enough other keys have approved it; `cooling_off`, until
    its destination has been known for long enough; `screening`, while its recipient is under review, told where it is
    looked up by itself. Else null.
    """
    send_after: str | None
    """Before then the payout is not sent; null where nothing has to be waited for."""
    approval_hash: str | None
    """Stands for exactly what the payout sends: an approver sends it with the approval. Null for a payout that needs
    none.
    """
    approvals_required: int | None
    """How many keys must approve it; null for a payout that needs none."""
    approvals: list[Approval] | None
    """The approvals that are there; null for a payout that needs none."""
    approval_expires_at: str | None
    """If it is not approved by then, it fails and its money goes back; null for a payout that needs none."""


class TransactionExplanation(TypedDict):
    id: str
    """Identifies the resource."""
    transaction_id: str
    """Short identifier of the transaction."""
    reference_id: str
    """Groups related transactions; for a swap its swapId."""
    transaction_type: TransactionType
    """What kind of movement it is."""
    transaction_mode: TransactionMode
    """Whether the wallet gains or gives."""
    asset_code: Currency
    """The currency."""
    amount: str
    """Its amount."""
    fee: str | None
    """What the payout cost on top of the amount; null: nothing."""
    quote_id: str | None
    """The quote behind a swap; null for all else."""
    rail_reference: str | None
    """What the bank or chain calls it, once it does."""
    statuses: list[StatusStep]
    """The states it has gone through, in order."""
    checkpoint_size: int | None
    """Size of the newest checkpoint; null until one covers all of its events."""
    events: list[ExplainedEvent]
    """Its events, in whole groups, in the order of the log."""


class ValidationError(TypedDict):
    status: Literal["error"]
    """Always error."""
    code: Literal["validation_failed"]
    """Always validation_failed."""
    message: str
    """The same in a sentence for people."""
    errors: list[FieldError]
    """Every field that was refused, all at once."""
    request_id: str
    """The x-request-id of this response."""


class Wallet(TypedDict):
    id: str
    """Identifies the resource."""
    asset_type: AssetType
    """Whether it is national currency or a stablecoin."""
    currency: Currency
    """The currency."""
    balance: str
    """What the wallet holds and can spend: 8 decimals. Below zero only by deposits that were reversed."""
    description: str
    """A note of your own."""
    status: Literal["active"]
    """In which state it is."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    customer_id: str | None
    """The customer that it belongs to or concerns; null or left out: the merchant itself."""
    addresses: list[DepositAddress]
    """Deposit addresses, oldest first; none for fiat."""


class WalletParams(TypedDict):
    description: NotRequired[str | None]
    """A note of your own."""
    currency: Currency
    """The currency."""
    customer_id: NotRequired[str | None]
    """Whose wallet: a customer's, or without it the merchant's own."""
    network: NotRequired[Network | None]
    """For stablecoins: the network of the deposit address. Fiat wallets have none."""


class WalletPayoutMethodParams(TypedDict):
    type: NotRequired[Literal["WALLET"]]
    """What kind of method it is."""
    wallet_address: str
    """The address to pay to; its checksum is checked."""
    network: Network
    """The blockchain network, in lower case."""
    currency: Literal["USDC", "USDT"]
    """The currency. One of USDC, USDT, in any case."""
    customer_id: NotRequired[str | None]
    """The customer that it belongs to or concerns; null or left out: the merchant itself."""
    label: NotRequired[str | None]
    """A name of your own for it."""


class WalletPayoutParams(TypedDict):
    customer_id: NotRequired[str | None]
    """The customer that it belongs to or concerns; null or left out: the merchant itself."""
    currency: Literal["USDC", "USDT"]
    """The currency. One of USDC, USDT, in any case."""
    address: str
    """The address to pay to; its checksum is checked."""
    amount: Amount
    """The amount, as decimal text or as a number of at most 15 digits."""
    network: Network
    """The blockchain network, in lower case."""
    recipient_name: NotRequired[str | None]
    """Who is paid."""
    dry_run: NotRequired[bool | None]
    """True: nothing is written and no Idempotency-Key is used; the answer is the one that the request would get now."""


class Webhook(TypedDict):
    id: str
    """Identifies the resource."""
    url: str
    """Where events are sent: https, or with a test key http on this machine."""
    description: str | None
    """A note of your own."""
    events: list[WebhookEventType] | None
    """The types that are sent there; null or left out: all of them."""
    status: WebhookStatus
    """Whether it is sent to; disabled by you, or once it answered 410."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class WebhookParams(TypedDict):
    url: str
    """Where events are sent: https, or with a test key http on this machine."""
    events: NotRequired[list[WebhookEventType] | None]
    """The types that are sent there; null or left out: all of them."""
    description: NotRequired[str | None]
    """A note of your own."""


class WebhookTest(TypedDict):
    event_id: str
    """The event."""
    outcome: Literal["delivered", "failed", "queued"]
    """How the test went; queued: there is no answer yet, the event tells later."""
    response_status: int | None
    """The HTTP status of the last answer."""
    error: DeliveryError | None
    """Why the last attempt was not a success."""


class WebhookUpdateParams(TypedDict):
    url: NotRequired[str]
    """Where events are sent: https, or with a test key http on this machine."""
    events: NotRequired[list[WebhookEventType] | None]
    """The types that are sent there; null: all of them; left out: as before."""
    description: NotRequired[str | None]
    """A note of your own."""
    status: NotRequired[WebhookStatus]
    """Whether it is sent to. What happens while it is disabled is not sent later."""


EventType: TypeAlias = Literal[
    "customer.created",
    "customer.updated",
    "customer.closed",
    "deposit.pending",
    "deposit.completed",
    "deposit.failed",
    "deposit.reversed",
    "swap.completed",
    "payout.approval_required",
    "payout.completed",
    "payout.failed",
    "payout.reversed",
    "webhook.test",
]
