// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Initialised} from "./Initialised.sol";

/// ERC-20 as the standard has it, as the pegged tokens of BNB Smart Chain are.
contract PlainToken is Initialised, ERC20 {
    constructor() ERC20("", "") {}

    function mint(address to, uint256 units) external onlyOwner {
        _mint(to, units);
    }

    function name() public view override(Initialised, ERC20) returns (string memory) {
        return Initialised.name();
    }

    function symbol() public view override(Initialised, ERC20) returns (string memory) {
        return Initialised.symbol();
    }

    function decimals() public view override(Initialised, ERC20) returns (uint8) {
        return Initialised.decimals();
    }
}
